-- Two batches with the same first token: find a wrong axis from outside, then mend it.
local norms = use "norms"

-- The samples of a batch in reverse order.
local function reversed(x)
  local samples = {}
  for s = 1, #x do
    samples[s] = x[#x + 1 - s]
  end
  return tensor(tensor.stack(samples), { "batch", "token", "feature" })
end

-- By how much the first token's result differs between two batches.
local function apart(over, x, y)
  return abs(norms.first(over, x) - norms.first(over, y)):max()
end

local names = { feature = "feature", token = "token", batch = "batch", ["batch-token"] = "batch, token", ["token-feature"] = "token, feature", all = "all" }

-- What gives a bug away, in the terms of the probes.
local because = {
  batch = "Other samples move the result, and later tokens do not: the batch is in its mean, and nothing else.",
  token = "Later tokens move the result, and other samples do not: the tokens are in its mean, and nothing else.",
  ["batch-token"] = "Other samples and later tokens both move the result, but one feature there only the same one here: batch and tokens, feature by feature.",
  all = "Other samples and later tokens move the result, and one feature there moves all of them here: everything is in one mean.",
}

-- The setting, if it behaves so: other samples move the first token's result, the next token does.
local function where(over, a, others, later, by_samples, by_token)
  local here = (apart(over, a, others) > 0) == by_samples and (apart(over, a, later) > 0) == by_token
  return here and names[over] or "-"
end

-- A batch, and others that share its first token. What moves a result moves it by enough to be seen.
local function batches(random)
  local a, b, others, later
  repeat
    a, b   = random:integers { 3, 4, 3, from = 1, to = 9 }, random:integers { 3, 4, 3, from = 1, to = 9 }
    others = b:with({ 1 }, a[1])           -- the other samples exchanged
    later  = a:with({ 1, 2 }, b[1][2])     -- the next token of the same sample exchanged
    b      = b:with({ 1, 1 }, a[1][1])     -- all but the first token exchanged
  until apart("batch", a, others) > 0.2 and apart("token", a, later) > 0.2 and apart("token", a, b) > 0.2 and apart("all", a, later) > 0.1
  return { a = a, b = b, others = others, later = later }
end

return lesson "which-axis" {
  format   = 1,
  title    = "Debug: which axis?",
  about    = "A layer norm that averages over the wrong axis: find it from outside, then mend the program.",
  minutes  = 12,
  needs    = { "normalize", "axis" },
  goal     = [[
You will be able to find out over which axes a module averages, from outside: by what moves its result.

At the end you mend a broken layer norm, a real file, in your own editor.

You need to know what a mean over an axis takes in. The program is seven lines of Lua; there is nothing in it that Python would not
say much the same way.
]],
  remember = [[
- Two batches, the same first token: its normalized result must be the same, whatever the rest is.
- Then change one thing at a time, for what moves the result is in its average. Other samples do: the batch. Later tokens do: the
  tokens. If one feature there moves several here, the features as well.
- Exchanging the order of the samples shows nothing: a mean does not care about order.
- A mean over tokens lets a model see what comes later: it leaks the future.
]],
  sources  = { "PyTorch documentation: torch.nn.LayerNorm" },

  define = {
    axes_of = norms.axes_of, norm_over = norms.norm_over, normalized = norms.normalized, first = norms.first,
    apart = apart, where = where, reversed = reversed, because = function(bug) return because[bug] end,
  },

  step "experiment" {
    title   = "Two batches, one token",
    teaches = { "two-batches" },
    data    = batches,
    text    = [[
Two batches of 3 samples share one token, the very first. All else differs. The table has what a norm makes of that token in each;
below it is the first batch.

Turn the knob **over**. For which setting is it the same in both?
]],
    knobs   = { knob.pick "over" { "all", "batch", "token", "feature", "batch-token", names = { ["batch-token"] = "batch, token" } } },
    show    = view.column {
      view.compare { "first(over, a)", "first(over, b)", names = { "in the first batch", "in the second" } },
      view.axes { "a", over = "axes_of(over)" },
    },
  },

  ask.choice "token-bug" {
    title   = "Only the other samples",
    teaches = { "two-batches" },
    data    = batches,
    text    = [[
A module averages over the **tokens** by mistake. This time the first *sample* stays whole; the other two are exchanged for different ones.

Does the first token's result move?
]],
    show    = view.compare { "first('token', a)", "first('token', others)", names = { "in the first batch", "in the second" } },
    predict = true,
    option "moves" {
      "yes, it moves",
      say = "A mean over the tokens runs through one sample, and that one is the same in both batches.",
    },
    option "stays" { "no, it stays", right = true },
    why     = "A module with this bug passes a test that exchanges only samples. To catch it, change another *token* of the same sample.",
  },

  ask.choice "order" {
    title   = "In another order",
    teaches = { "two-batches" },
    data    = batches,
    text    = [[
A module averages over the **batch** by mistake. Somebody tests it: the same three samples in reverse order, so that the first is now the third.

Does that test find the bug?
]],
    show    = view.compare { "first('batch', a)", "(normalized('batch', reversed(a)))[3][1]", names = { "as the first", "as the third" } },
    predict = true,
    option "found" {
      "yes, its first token's result changes",
      say = "The mean over three samples is the same in whatever order they come.",
    },
    option "nothing" { "no, nothing changes", right = true },
    why     = "Permuting the batch clears no module: batch statistics do not depend on order. *Exchange* samples for different ones.",
  },

  step "one-thing" {
    title   = "One thing at a time",
    teaches = { "two-batches" },
    data    = batches,
    text    = [[
Two tests, each of which changes one thing. By how much does the first token's result move? Below: where that puts this setting.

Turn the knob **over** through all six. Then go on; there the setting is hidden.
]],
    knobs   = {
      knob.pick "over" {
        "all", "token", "batch", "batch-token", "token-feature", "feature",
        names = { ["batch-token"] = "batch, token", ["token-feature"] = "token, feature" },
      },
    },
    show    = view.column {
      view.table {
        head  = { "moves by" },
        names = { "other samples exchanged", "the next token exchanged" },
        { "apart(over, a, others)" },
        { "apart(over, a, later)" },
      },
      view.table {
        head  = { "token: stays", "token: moves" },
        names = { "samples: stays", "samples: moves" },
        { "where(over, a, others, later, false, false)", "where(over, a, others, later, false, true)" },
        { "where(over, a, others, later, true, false)", "where(over, a, others, later, true, true)" },
      },
    },
  },

  ask.choice "name-it" {
    title   = "Name the bug",
    teaches = { "two-batches" },
    data    = function(random)
      return { bug = random:pick { "batch", "token", "batch-token", "all" }, seed = random:integer(1, 1000000) }
    end,
    text    = "A module with a bug; its program is hidden. Over what does it average?",
    show    = view.column {
      view.probes { "norm_over(bug)", list = { "companion", "future", "one_feature", "alone" }, seed = "seed" },
      view.leak { "norm_over(bug)", seed = "seed" },
    },
    option "batch" {
      "the batch", right = "bug == 'batch'",
      say = "Then a later token could not move its result. Look at *a later token changed*.",
    },
    option "token" {
      "the tokens", right = "bug == 'token'",
      say = "Then another sample could not move its result. Look at *other samples changed*.",
    },
    option "batch-token" {
      "batch and tokens", right = "bug == 'batch-token'",
      say = "Then other samples *and* later tokens would move it, and one feature there only the same feature here.",
    },
    option "all" {
      "batch, tokens and features", right = "bug == 'all'",
      say = "Then one feature elsewhere would move all features here. Look at *one feature elsewhere*.",
    },
    hints   = {
      "Which probes fail, and what did each of them change?",
      "Another sample moves it: the batch is in its mean. A later token: the tokens are. How many features does one feature move?",
    },
    why     = "{because(bug)}",
  },

  ask.code "mend" {
    title    = "Mend it",
    teaches  = { "two-batches" },
    data     = function(random) return { bug = random:pick { "batch", "token", "all" } } end,
    text     = [[
Your file is a layer norm that averages over the wrong axes. Mend it, here or in your editor: at every save the probes run, on fresh numbers.
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
      say = "It averages over the batch: a token's result depends on the other samples, and alone in a batch it is 0.",
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
