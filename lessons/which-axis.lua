-- Two batches with the same first token: find a wrong axis from outside, then mend it.
local norms = use "norms"

local function batch_of(samples)
  return tensor(tensor.stack(samples), { "batch", "token", "feature" })
end

-- The samples of a batch in reverse order.
local function reversed(x)
  local samples = {}
  for s = 1, #x do
    samples[s] = x[#x + 1 - s]
  end
  return batch_of(samples)
end

-- By how much the first token's result differs between two batches.
local function apart(over, x, y)
  return abs(norms.first(over, x) - norms.first(over, y)):max()
end

-- How many features of the first token's result move with the first one of another token, { sample, token }.
local function spread(over, x, at)
  local place = { at[1], at[2], 1 }
  local before, after, count = norms.first(over, x), norms.first(over, x:with(place, x:at(at[1], at[2], 1) + 5)), 0
  for f = 1, #before do
    count = count + (abs(after[f] - before[f]) > 1e-6 and 1 or 0)
  end
  return count
end

-- What moves the first token's result, by the axes: other samples, the next token, how many features of it one feature does.
local settings = {
  feature           = { name = "feature", samples = false, token = false, features = 0 },
  token             = { name = "token", samples = false, token = true, features = 1 },
  batch             = { name = "batch", samples = true, token = false, features = 1 },
  ["batch-token"]   = { name = "batch, token", samples = true, token = true, features = 1 },
  ["token-feature"] = { name = "token, feature", samples = false, token = true, features = 3 },
  all               = { name = "all", samples = true, token = true, features = 3 },
}

-- What gives a bug away, in the terms of the probes.
local because = {
  batch = "Other samples move the result, and later tokens do not: the batch is in its mean, and nothing else.",
  token = "Later tokens move the result, other samples do not, and one feature there moves only the same one here: the tokens, feature by feature.",
  ["batch-token"] = "Other samples and later tokens both move the result, but one feature there only the same one here: batch and tokens, feature by feature.",
  ["token-feature"] = "Later tokens move the result, other samples do not, and one feature there moves all of them here: tokens and features in one mean.",
  all = "Other samples and later tokens move the result, and one feature there moves all of them here: everything is in one mean.",
  ["so-far"] = "Only earlier tokens move the result: its mean is over the tokens so far. Nothing leaks, but it is no layer norm, and inside the model it would not show.",
}

-- The setting, if it behaves so: other samples move the first token's result, the next token does.
local function where(over, a, others, later, by_samples, by_token)
  local here = (apart(over, a, others) > 0) == by_samples and (apart(over, a, later) > 0) == by_token
  return here and settings[over].name or "-"
end

-- Whether each setting shows what it must, and by enough to be seen.
local function telling(a, b, others, later)
  for over, setting in pairs(settings) do
    local all_moves = (apart(over, a, b) > 0.05) == (over ~= "feature")
    local samples_move = (apart(over, a, others) > 0.05) == setting.samples and spread(over, a, { 2, 1 }) == (setting.samples and setting.features or 0)
    local token_moves = (apart(over, a, later) > 0.05) == setting.token and spread(over, a, { 1, 2 }) == (setting.token and setting.features or 0)
    if not (all_moves and samples_move and token_moves) then
      return false
    end
  end
  return true
end

-- A batch, and others that share its first token.
local function batches(random)
  local a, b, others, later
  repeat
    a, b   = random:integers { 3, 4, 3, from = 1, to = 9 }, random:integers { 3, 4, 3, from = 1, to = 9 }
    others = b:with({ 1 }, a[1])           -- the other samples exchanged
    later  = a:with({ 1, 2 }, b[1][2])     -- the next token of the same sample exchanged
    b      = b:with({ 1, 1 }, a[1][1])     -- all but the first token exchanged
  until telling(a, b, others, later)
  return { a = a, b = b, others = others, later = later }
end

-- A norm whose statistics are those of all tokens up to its own.
local function so_far(x, scale, bias, eps)
  local samples = {}
  for s = 1, #x do
    local seen, made = {}, {}
    for t = 1, #x[s] do
      seen[t] = x[s][t]
      local tokens = tensor.stack(seen)
      made[t] = (x[s][t] - tokens:mean()) / sqrt(tokens:var() + eps)
    end
    samples[s] = tensor.stack(made)
  end
  return batch_of(samples) * scale + bias
end

local function norm_with(bug)
  return bug == "so-far" and so_far or norms.norm_over(bug)
end

-- One pre-norm layer of a causal model: attention, then feed-forward, each with such a norm before it. w: weights.
local function model(norm, w)
  return function(x, scale, bias, eps)
    x = x + nn.attention(norm(x, scale, bias, eps), { causal = true, query = w.query, key = w.key, value = w.value })
    return x + nn.feed_forward(norm(x, scale, bias, eps), { up = w.up, down = w.down })
  end
end

-- The probes' tokens have 5 features.
local function weights(random)
  local w = {}
  for _, name in ipairs { "query", "key", "value" } do
    w[name] = random:normal { 5, 5, std = 0.4 }
  end
  w.up, w.down = random:normal { 10, 5, std = 0.4 }, random:normal { 5, 10, std = 0.3 }
  return w
end

local function causal(random)
  return { w = weights(random), sample = random:integer(1, 4), seed = random:integer(1, 1000000) }
end

return lesson "which-axis" {
  format   = 1,
  title    = "Debug: which axis?",
  about    = "A layer norm that averages over the wrong axis: find it from outside, then mend the program.",
  minutes  = 10,
  needs    = { "normalize", "axis" },
  goal     = [[
You will be able to find out over which axes a module averages, from outside: by what moves its result. You will know which tests show
nothing, and how a wrong norm lets a *causal* model, whose tokens must not depend on later ones, see the future.

At the end you mend a broken layer norm, a real file, here or in your own editor.

You need to know what a mean over an axis takes in. The program is seven lines of Lua; there is nothing in it that Python would not
say much the same way.
]],
  remember = [[
- Two batches, the same first token: its normalized result must be the same, whatever the rest is.
- Then change one thing at a time, for what moves the result is in its average. Other samples do: the batch. Later tokens do: the
  tokens. If one feature there moves all features here, the features as well.
- The samples in another order, or everything times 10, show nothing: a wrong norm passes those too.
- A mean over tokens lets a model see what comes later: it leaks the future, although its attention does not.
- Test the norm by itself. In a causal model earlier tokens move later ones anyway, which hides a mean over the tokens so far.
]],
  sources  = { "PyTorch documentation: torch.nn.LayerNorm" },

  define = {
    axes_of = norms.axes_of, norm_over = norms.norm_over, normalized = norms.normalized, first = norms.first,
    apart = apart, spread = spread, where = where, reversed = reversed, because = function(bug) return because[bug] end,
    norm_with = norm_with, model = model,
  },

  step "experiment" {
    title   = "Two batches, one token",
    teaches = { "two-batches" },
    data    = batches,
    text    = [[
Two batches of 3 samples share the very first token, {a[1][1]}. All else differs. The table has what a norm makes of it in each; below
it is the first batch.

Turn the knob **over**. For which axes is the result the same in both?
]],
    knobs   = {
      knob.pick "over" {
        "all", "batch", "token", "feature", "batch-token", "token-feature",
        names = { ["batch-token"] = "batch, token", ["token-feature"] = "token, feature" },
      },
    },
    show    = view.column {
      view.compare { "first(over, a)", "first(over, b)", names = { "in the first batch", "in the second" } },
      view.axes { "a", over = "axes_of(over)" },
    },
  },

  ask.choice "token-bug" {
    title   = "One thing at a time",
    teaches = { "two-batches" },
    data    = batches,
    text    = [[
The first test finds any wrong axis but names none. Now each changes one thing: the other samples, or the next token of the same one.

A module averages over the **tokens**. Which test moves its result?
]],
    knobs   = {
      knob.pick "over" {
        "token", "batch", "batch-token", "token-feature", "all", "feature",
        names = { ["batch-token"] = "batch, token", ["token-feature"] = "token, feature" },
      },
    },
    show    = view.column {
      view.table {
        head  = { "moves by", "by one feature" },
        names = { "other samples exchanged", "the next token exchanged" },
        { "apart(over, a, others)", "spread(over, a, { 2, 1 }) .. ' of 3'" },
        { "apart(over, a, later)", "spread(over, a, { 1, 2 }) .. ' of 3'" },
      },
      view.table {
        head  = { "token: stays", "token: moves" },
        names = { "samples: stays", "samples: moves" },
        { "where(over, a, others, later, false, false)", "where(over, a, others, later, false, true)" },
        { "where(over, a, others, later, true, false)", "where(over, a, others, later, true, true)" },
      },
    },
    predict = true,
    option "samples" {
      "the other samples exchanged",
      say = "A mean over the tokens runs through one sample, and the others are not in it.",
    },
    option "token" { "the next token exchanged", right = true },
    option "both" {
      "both",
      say = "Only the next token does. A mean over the tokens runs through one sample, and the others are not in it.",
    },
    why     = "So exchanging samples alone does not find this bug. Last column: how many features here move when *one* is changed there. Turn **over** through all six. Which two pairs share a place, and what tells them apart?",
  },

  ask.choice "which-test" {
    title   = "Three tests",
    teaches = { "two-batches" },
    data    = batches,
    accept  = "apart('batch', a, a:with({ 1, 1 }, a[1][1] * 10)) > 0.2",
    text    = [[
A module averages over the **batch** by mistake. Three tests are tried on it. A layer norm passes all three: what it makes of the
first token stays.

Which of them does this module fail?
]],
    show    = view.table {
      head  = { "what it makes of the first token" },
      names = { "as it was", "the samples in reverse order", "the whole tensor times 10", "the first token times 10" },
      { "first('batch', a)" },
      { "(normalized('batch', reversed(a)))[3][1]" },
      { "first('batch', a * 10)" },
      { "first('batch', a:with({ 1, 1 }, a[1][1] * 10))" },
    },
    predict = true,
    option "order" {
      "the samples in reverse order",
      say = "The mean over three samples is the same in whatever order they come.",
    },
    option "whole" {
      "the whole tensor times 10",
      say = "Distances from the mean grow tenfold, and so does the deviation, over whatever axes both are taken.",
    },
    option "token" { "the first token times 10", right = true },
    why     = "The other two clear no axis: every wrong one passes them. *Exchange* samples for different ones, and scale *one* token.",
  },

  step "causal" {
    title   = "In a causal model",
    teaches = { "two-batches" },
    data    = causal,
    text    = [[
A small causal model: attention, in which a token sees itself and earlier ones, then feed-forward. Both are residual, with a layer norm before
each. The weights are random: normal, deviation 0.3 to 0.4.

Shown is who moves the output of one token of sample {sample}. Turn the knob **token**. Does a later one ever move it?
]],
    knobs   = { knob.int "token" { 1, 3, at = 1 } },
    show    = view.leak { "model(norm_over('feature'), w)", at = "{ sample, token }", seed = "seed" },
  },

  ask.choice "leak" {
    title   = "The future leaks",
    teaches = { "two-batches" },
    data    = causal,
    text    = [[
The same model; shown is who moves token 2 of sample {sample}. Now its norms average over **tokens**, not features. What moves that token then?
]],
    knobs   = { knob.pick "over" { "feature", "token" }, knob.int "token" { 1, 3, at = 2 } },
    show    = view.leak { "model(norm_over(over), w)", at = "{ sample, token }", seed = "seed" },
    predict = { from = { over = "feature", token = 2 }, to = { over = "token", token = 2 } },
    option "causal" {
      "token 1, as before: attention is causal",
      say = "Attention keeps token 3 out. But the norm comes before it, and the mean over the tokens has taken token 3 in.",
    },
    option "later" { "token 3, a later one, as well", right = true },
    option "samples" {
      "the other samples as well",
      say = "A mean over the tokens runs through one sample, and attention does too.",
    },
    why     = "Token 3 is in the mean, and attention cannot take it out. In training such a model can copy what it should predict; when it writes, nothing comes later. Turn **token** to 1: what should move that, and what does?",
  },

  ask.choice "name-it" {
    title   = "Name the bug",
    teaches = { "two-batches" },
    data    = function(random)
      return { bug = random:pick { "batch", "token", "batch-token", "token-feature", "all", "so-far" }, seed = random:integer(1, 1000000) }
    end,
    text    = [[
A norm by itself, its program hidden. In the model an earlier token may move a later one; in a norm no other may. Over what does it
average?
]],
    show    = view.probes { "norm_with(bug)", list = { "companion", "future", "past", "one_feature" }, seed = "seed" },
    option "batch" {
      "the batch", right = "bug == 'batch'",
      say = "Then other samples would move its result, and other tokens of its own sample would not.",
    },
    option "token" {
      "the tokens", right = "bug == 'token'",
      say = "Then a later token would move its result, other samples would not, and one feature there would move only the same one here.",
    },
    option "so-far" {
      "a token and those before it", right = "bug == 'so-far'",
      say = "Then an earlier token would move its result, and neither a later one nor another sample would.",
    },
    option "batch-token" {
      "batch and tokens", right = "bug == 'batch-token'",
      say = "Then other samples *and* later tokens would move it, and one feature there only the same feature here.",
    },
    option "token-feature" {
      "tokens and features", right = "bug == 'token-feature'",
      say = "Then other samples would not move its result, and one feature of a later token would move all features here.",
    },
    option "all" {
      "batch, tokens and features", right = "bug == 'all'",
      say = "Then other samples and later tokens would both move it, and one feature there would move all features here.",
    },
    hints   = {
      "Samples, later tokens, earlier ones: what moves it is in its mean.",
      "If one feature moves all, the mean takes in features as well.",
    },
    why     = "{because(bug)}",
  },

  ask.code "mend" {
    title    = "Mend it",
    teaches  = { "two-batches" },
    data     = function(random) return { bug = random:pick { "batch", "token", "batch-token", "all", "token-feature" } } end,
    text     = [[
Your file is a layer norm that averages over the wrong axes. Mend it.
]],
    solution = [[
function layer_norm(x, scale, bias, eps)
  local over = { "feature" }
  local mean = x:mean(over)
  local var = x:var(over)
  local y = (x - mean) / sqrt(var + eps)
  return y * scale + bias
end
]],
    broken   = "bug",
    probes   = { "companion", "future", "past", "alone", "one_feature", "constant_row", "tiny_row", "value" },
    mistake "batch" {
      by  = replace { '"feature"', '"batch"' },
      say = "It averages over the batch: a token's result depends on the other samples, and alone in a batch it is the bias.",
    },
    mistake "token" {
      by  = replace { '"feature"', '"token"' },
      say = "It averages over the tokens: a token's result depends on later ones. The future leaks.",
    },
    mistake "all" {
      by  = replace { '"feature"', '"batch", "token", "feature"' },
      say = "Features are in, but so are batch and tokens: one mean for everything.",
    },
    mistake "batch-token" {
      by  = replace { '"feature"', '"batch", "token"' },
      say = "It averages over batch and tokens, feature by feature: that is batch norm.",
    },
    mistake "token-feature" {
      by  = replace { '"feature"', '"token", "feature"' },
      say = "The batch is out, the features are in. But the tokens of a sample still share one mean.",
    },
    mistake "batch-feature" {
      by  = replace { '"feature"', '"batch", "feature"' },
      say = "The tokens are out, the features are in. But the samples still share one mean.",
    },
    mistake "var-only" {
      by  = replace { "x:var(over)", 'x:var("batch")' },
      say = "The mean is right. The variance still averages over the batch.",
    },
    mistake "mean-only" {
      by  = replace { "x:mean(over)", 'x:mean("batch")' },
      say = "The variance is right. The mean still averages over the batch.",
    },
    hints    = {
      "Which probe fails, and what did it change? That is what must not be in the mean.",
      "The axes are named in one line of the file: `over`. A token may depend on nothing but its own features.",
      "`local over = {{ \"feature\" }}`",
    },
    why      = "Layer norm averages over the features of one token, and over nothing else.",
  },
}
