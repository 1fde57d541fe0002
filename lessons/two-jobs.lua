-- What a norm and a residual connection are for, each by itself and together, and what neither of them mends.
local stacks = use "stacks"

local DEPTH, WIDTH = 24, 64
local TOKENS, FEATURES = 16, 8 -- of the network that is trained

-- Its eps comes in a later lesson; here it is too small to be seen.
local function norm(x)
  return (nn.layer_norm(x, { eps = 1e-12 }))
end

-- The row after each of the layers, itself first. size: what the sublayers' answers are multiplied by.
local function rows_through(net, skip, normed, size)
  local f, x, rows = stacks.sublayer(net), net.x, { net.x }
  for layer = 1, DEPTH do
    local update = size * f(x, layer)
    x = skip and x + update or update
    x = normed and norm(x) or x
    rows[layer + 1] = x
  end
  return rows
end

-- A network with a norm and a skip, what it begins with, and what it shall answer.
local function small_net(random)
  local x = random:normal { TOKENS, FEATURES }
  return {
    x = x, truth = nn.linear(norm(x), stacks.weights(random, 1, FEATURES)[1]),
    start = {
      up = stacks.weights(random, 2 * FEATURES, FEATURES)[1], down = stacks.weights(random, FEATURES, 2 * FEATURES)[1],
      out = stacks.weights(random, 1, FEATURES)[1],
    },
  }
end

local function distance(net, p, labels)
  local off = nn.linear(norm(net.x + stacks.feed_forward(net.x, p.up, p.down)), p.out) - labels
  return (off * off):mean("all")
end

-- Its loss, and how far it is from the truth, after 0, 10 and 50 steps of gradient descent.
local function trained(net, lr, goal)
  local labels = ({ truth = net.truth, reversed = -net.truth, small = 0 * net.truth })[goal]
  local p, step, losses, errors = net.start, nn.sgd { lr = lr }, {}, {}
  for done = 0, 50 do
    local loss = distance(net, p, labels)
    if done == 0 or done == 10 or done == 50 then
      losses[#losses + 1], errors[#errors + 1] = loss:sum(), distance(net, p, net.truth):sum()
    end
    p = step(p, grad(loss, p))
  end
  return { losses = losses, errors = errors }
end

local results = {
  add     = function(x, u) return x + u end,
  norm    = function(x, u) return norm(x) end,
  replace = function(x, u) return u end,
  both    = function(x, u) return norm(x + u) end,
}

-- Where the largest number of a row stands.
local function largest(row)
  local place = 1
  for i = 2, #row do
    place = row[i] > row[place] and i or place
  end
  return place
end

return lesson "two-jobs" {
  format   = 1,
  title    = "Two jobs",
  about    = "What a norm does, what a residual connection does, why a deep stack wants both, and what neither mends.",
  minutes  = 10,
  goal     = [[
Welcome. This course is about two small parts that stand in every layer of a transformer, the network behind language models: the
**norm** and the **residual connection**. It goes from arithmetic on four numbers to finding faults in programs.

After this lesson you will be able to tell the two apart by what they do to a row of numbers, and to say what a stack of many layers
does without them. You will also know what neither of them can mend.

You need Python and a little arithmetic. How a norm is computed comes in the next lesson.
]],
  remember = [[
- Layer after layer changes two things of a row of numbers: its *scale* and its *content*.
- A norm rescales a row, from the row's own numbers. It does not bring back what a layer has overwritten.
- A residual connection adds an update, x + F(x), and does not replace the row. It does not keep the scale.
- What each layer multiplies, a stack multiplies again and again: 1.5 each makes 130 in 12 layers.
- Neither mends wrong labels, a wrong objective or a learning rate that is too high.
]],
  sources  = {
    "Ba, Kiros, Hinton: Layer Normalization, 2016 (arXiv:1607.06450)", "He, Zhang, Ren, Sun: Deep Residual Learning, 2015 (arXiv:1512.03385)",
    "Vaswani et al.: Attention Is All You Need, 2017 (arXiv:1706.03762)",
  },

  data     = function(random) return { deep = stacks.net(random, DEPTH, WIDTH) } end,
  given    = { plain = "variances(rows_through(deep, true, false, 1))" },
  accept   = "after(plain, 24) > 1500 and after(plain, 24) > 10 * after(plain, 12) and after(plain, 12) > 3 * after(plain, 6)",
  define   = {
    norm = norm, rows_through = rows_through, trained = trained, likeness = stacks.likeness, variances = stacks.variances, between = stacks.between,
    largest = largest,
    result = function(kind, x, u) return results[kind](x, u) end,
    after = function(list, layer) return list[layer + 1] end,
  },

  step "rows" {
    title   = "One row, two ways",
    teaches = { "two-jobs" },
    data    = function(random)
      local signs = tensor(random:shuffle { 1, 1, -1, -1 })
      return { x = random:integers { 4, from = 1, to = 9, distinct = true }, u = random:integers { 4, from = 1, to = 6 } * signs / 2 }
    end,
    text    = [[
A network holds a row of numbers for each token, say for each word. A layer computes something from that row: F(x).

- A **norm** rescales the row: mean 0, variance 1. The *variance* is the mean squared distance from the mean.
- A **residual connection**, or *skip*, adds: x + F(x).

Turn **s**, by which x is multiplied. Which row stays the same? And if you know F(x): from which could you get x back, norm(x) or
x + F(x)?
]],
    knobs   = { knob.log "s" { 0.1, 100, at = 1, stops = 3 } },
    show    = view.table {
      head  = { "numbers", "variance" },
      names = { "x", "F(x)", "norm(x)", "x + F(x)" },
      { "x * s", "(x * s):var()" },
      { "u * s", "(u * s):var()" },
      { "norm(x * s)", "norm(x * s):var()" },
      { "(x + u) * s", "((x + u) * s):var()" },
    },
  },

  ask.choice "which" {
    title   = "What did the layer do?",
    teaches = { "two-jobs" },
    data    = function(random)
      local signs = tensor(random:shuffle { 1, 1, -1, -1 })
      return {
        x = random:integers { 4, from = 1, to = 9, distinct = true }, u = random:integers { 4, from = 1, to = 6, distinct = true } * signs / 2,
        kind = random:pick { "add", "add", "norm", "replace", "both" },
      }
    end,
    accept  = "(x + u)[largest(x)] < max(x + u)",
    text    = [[
A layer gets x = {x} and computes F(x) = {u}. It returns {result(kind, x, u)}.

What did it do?
]],
    option "add" {
      "x + F(x)", right = "kind == 'add'",
      say = "To add is what a residual connection does, and that would give {x + u}: the old numbers, each with its update.",
    },
    option "norm" {
      "norm(x)", right = "kind == 'norm'",
      say = "To rescale x is a norm's job, and that would give {norm(x)}: its mean is 0, and F(x) plays no part in it.",
    },
    option "replace" {
      "F(x)", right = "kind == 'replace'",
      say = "That would be {u} itself, and x would be gone.",
    },
    option "both" {
      "norm(x + F(x))", right = "kind == 'both'",
      say = "The sum is {x + u}; rescaled, its mean would be 0: {norm(x + u)}.",
    },
    hints   = { "A norm leaves a mean of 0. Is the mean of what is returned 0?", "Add x and F(x), number by number. A norm leaves the largest number the largest: which is it in x, in the sum, and in what is returned?" },
    why     = "x + F(x) = {x + u}; norm(x) = {norm(x)}; norm(x + F(x)) = {norm(x + u)}. A norm sets a row's scale. A residual connection keeps x in the sum and lets F(x) add to it.",
  },

  ask.choice "deep" {
    title   = "Deeper and deeper",
    teaches = { "two-jobs" },
    given   = { normed = "variances(rows_through(deep, true, true, 1))", depth = "6" },
    text    = [[
Many layers, one after the other: a *stack*. Each layer here is x + F(x), where F is a small network with random weights.
(Feed-forward, 64 features, ReLU, normal weights of variance 1/inputs, if you want to build it.)

x has variance 1. After 6 layers the variance is {after(plain, 6)}. And after 24?
]],
    knobs   = { knob.int "depth" { 1, 24 } },
    show    = view.column {
      view.table {
        head  = { "after layer", "x + F(x)", "norm(x + F(x))" },
        names = { "variance" },
        { "depth", "after(plain, depth)", "after(normed, depth)" },
      },
      view.plot { over = { "layer", 0, "depth" }, lines = { { "between(plain, layer)", label = "x + F(x)" } } },
    },
    predict = { from = { depth = 6 }, to = { depth = 24 } },
    option "same"       { "about {after(plain, 6)|0}, as after 6", say = "Nothing holds it there. A residual connection keeps a way open for x; it does not control the scale." },
    option "four"       { "about {4 * after(plain, 6)|0}, 4 times that", say = "That would be so if each layer *added* the same. But a layer that gets larger numbers computes larger updates." },
    option "thousand"   { "more than 1000", right = true },
    why     = "{after(plain, 24)}: each layer *multiplies*, by about 1.5 on average. With a norm after each addition the variance is 1 at any depth.",
  },

  ask.number "stack" {
    title   = "How much after all?",
    teaches = { "two-jobs" },
    data    = function(random) return { g = random:pick { 1.2, 1.3, 1.4, 1.5, 1.6 }, n = random:pick { 6, 8, 10, 12, 16, 24 } } end,
    text    = [[
In a stack without norm, each of {n} residual layers makes the variance {g} times what it was. It begins with 1.

What is it after all {n}?
]],
    answer  = "g ^ n",
    digits  = 3,
    allow   = { "g", "n" },
    mistake "added"     { by = "g * n", say = "{got} is {g} times {n}. Multiply, do not add: each layer scales what the one before it left." },
    mistake "linear" {
      by  = "1 + n * (g - 1)",
      say = "You let each layer add {g - 1}. It adds {g - 1} *of what it finds*, and it finds more each time. (Each would add the same if a norm stood before F.)",
    },
    mistake "one" {
      by  = "1",
      say = "A residual connection does not keep the scale. It only keeps a way open for x.",
    },
    mistake "less"      { by = "g ^ (n - 1)", say = "That is one layer too few. The first one multiplies as well." },
    mistake "more"      { by = "(1 + g) ^ n", say = "You multiplied by {1 + g} each time. {g} times what it was is not {g} times *more*." },
    mistake "swapped"   { by = "n ^ g", say = "That is {n} to the power {g}. It is {g} that is multiplied, {n} times." },
    mistake "layer"     { by = "g", say = "That is the variance after one layer. There are {n}." },
    mistake "root"      { by = "g ^ (n / 2)", say = "That is what {n / 2} layers make of it. There are {n}." },
    hints   = { "After the first layer: {g}. The second makes {g} times that.", "After two layers: {g * g}. That goes on {n} times in all." },
    why     = "{g} × {g} × … , {n} times: {g}^{n} = {answer}. At 1.5, which is what random feed-forward layers come to, 12 layers make {1.5 ^ 12|0} and 24 make {1.5 ^ 24|0}.",
  },

  step "four" {
    title   = "With and without",
    teaches = { "two-jobs" },
    text    = [[
Four stacks with the same weights; in the first two, layers replace the row. **Likeness** compares what comes out with x: 1 is the same
but for its scale. Unrelated rows are seldom beyond 0.25.

Turn **depth**, then **size**, by which every F(x) is multiplied. Which two stacks hold the scale? Which two still resemble x, and up to
what size?
]],
    knobs   = { knob.int "depth" { 1, 24, at = 12 }, knob.linear "size" { 0.1, 1, at = 0.3, stops = 9 } },
    show    = view.table {
      head  = { "variance", "likeness" },
      names = { "F(x)", "norm(F(x))", "x + F(x)", "norm(x + F(x))" },
      { "after(rows_through(deep, false, false, size), depth):var()", "likeness(after(rows_through(deep, false, false, size), depth), deep.x)" },
      { "after(rows_through(deep, false, true, size), depth):var()", "likeness(after(rows_through(deep, false, true, size), depth), deep.x)" },
      { "after(rows_through(deep, true, false, size), depth):var()", "likeness(after(rows_through(deep, true, false, size), depth), deep.x)" },
      { "after(rows_through(deep, true, true, size), depth):var()", "likeness(after(rows_through(deep, true, true, size), depth), deep.x)" },
    },
  },

  ask.choice "rate" {
    title   = "The learning rate",
    teaches = { "two-jobs" },
    data    = function(random) return { net = small_net(random), lr = 0.1 } end,
    given   = { slow = "trained(net, 0.1, 'truth').losses" },
    accept  = "slow[3] < 0.2 * slow[1] and not (trained(net, 1, 'truth').losses[2] < 1e6)",
    text    = [[
A small network with a norm *and* a skip, 8 features wide, begins with random normal weights and learns from 16 rows. Its **loss** is how wrong it is. The *learning rate* **lr** says how far each
step of training goes.

Now lr goes from 0.1 to 1. What becomes of the loss?
]],
    knobs   = { knob.log "lr" { 1e-3, 1, stops = 12 } },
    show    = view.table {
      head  = { "at first", "10 steps", "50 steps" },
      names = { "loss" },
      { "trained(net, lr, 'truth').losses[1]", "trained(net, lr, 'truth').losses[2]", "trained(net, lr, 'truth').losses[3]" },
    },
    predict = { from = { lr = 0.1 }, to = { lr = 1 } },
    option "faster" {
      "it falls ten times as fast",
      say = "Up to a point larger steps are faster. Beyond it each step overshoots, and the next one, from further off, overshoots more.",
    },
    option "same" {
      "it falls as before: the norm keeps it in bounds",
      say = "The norm keeps the *rows* in bounds. The weights that are trained, and the loss, it does not hold.",
    },
    option "bursts"     { "it grows beyond all bounds", right = true },
    why     = "Each step overshoots and the next overshoots more, until the numbers are too large to be kept: nan, not a number. Turn **lr** down to 0.001: is a small rate always better?",
  },

  step "limits" {
    title   = "Trained on what?",
    teaches = { "two-jobs" },
    data    = function(random) return { net = small_net(random) } end,
    text    = [[
Another such network, with norm and skip. Turn **goal**:

- **the truth**: its labels are right.
- **reversed**: its labels, the data, have the wrong sign.
- **small**: its objective rewards answers near 0.

Does the training succeed, by its own loss? How far is it from the truth then? Is there an **lr** that
leads to the truth?
]],
    knobs   = {
      knob.pick "goal" { "truth", "reversed", "small", names = { truth = "the truth", reversed = "reversed", small = "small" } },
      knob.log "lr" { 1e-3, 1, at = 0.1, stops = 12 },
    },
    show    = view.table {
      head  = { "at first", "10 steps", "50 steps" },
      names = { "its own loss", "off the truth" },
      { "trained(net, lr, goal).losses[1]", "trained(net, lr, goal).losses[2]", "trained(net, lr, goal).losses[3]" },
      { "trained(net, lr, goal).errors[1]", "trained(net, lr, goal).errors[2]", "trained(net, lr, goal).errors[3]" },
    },
  },

  ask.choice "left" {
    title   = "What is left?",
    teaches = { "two-jobs" },
    text    = "A deep network has a norm and a residual connection in every layer. Which of these troubles does neither of them touch?",
    option "scale" {
      "The rows' variance grows by half in each layer",
      say = "That is exactly what a norm is for: it rescales the row, whatever the layers made of it.",
    },
    option "lost" {
      "Each layer overwrites what the layers before it found",
      say = "That is what the residual connection is for: a layer adds its update, and does not replace the row.",
    },
    option "loud" {
      "One token comes with numbers 100 times as large as the others'",
      say = "A norm rescales each token from its own numbers, so it comes out no larger than the others.",
    },
    option "labels"     { "A tenth of the labels that it learns from are wrong", right = true },
    hints   = { "Ask of each: is it about a row's scale, about a row's content, or about neither?" },
    why     = "Bad data, like a wrong objective or learning rate, is outside the layers. Norms and residual connections let a deep network train; what it is trained on, towards what and how fast is for you to say.",
  },
}
