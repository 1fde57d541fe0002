-- The learned scale and bias: what they do to a normalized row, what shape they have, and what training makes of them.
local STEPS = 40

-- Five numbers in any order whose deviation is 4, or four that rise and whose deviation is 5.
local function by_hand(random)
  local far = random:pick { { -7, -1, 1, 2, 5 }, { -6, -3, 1, 3, 5 }, { -5, -3, -1, 3, 6 }, { -5, -2, -1, 1, 7 }, { -7, -1, 1, 7 } }
  local row = tensor(#far == 5 and random:shuffle(far) or far)
  return row - row:min() + random:integer(1, 4)
end

local function rounded(number)
  return math.floor(number * 1000 + 0.5) / 1000
end

-- The layer norm after each step of training, at first with scale 1 and bias 0; mean and variance are those of the first output.
local function train(x, wanted, lr)
  local features  = #x[1]
  local learned   = { scale = tensor.ones { features }, bias = tensor.zeros { features } }
  local step, run = nn.sgd { lr = lr }, {}
  for at = 1, STEPS + 1 do
    local y    = nn.layer_norm(x, { scale = learned.scale, bias = learned.bias })
    local loss = ((y - wanted) ^ 2):mean("all")
    run[at] = { scale = learned.scale, bias = learned.bias, loss = loss:mean(), mean = rounded(y[1]:mean()), var = rounded(y[1]:var()) }
    learned = step(learned, grad(loss, learned))
  end
  return run
end

return lesson "scale-bias" {
  format   = 1,
  title    = "Scale and bias",
  about    = "Two learned numbers for each feature: what they do after the norm, and what training makes of them.",
  minutes  = 10,
  needs    = { "normalize" },
  goal     = [[
You will be able to apply the learned scale and bias of a layer norm by hand, and to say what shape they have and where they start.

You will also see why the output of a trained layer norm need not have mean 0 and variance 1.

You need to know how to normalize a token.
]],
  remember = [[
- `output = normalized * scale + bias`: after the norm, in this order. PyTorch calls them `weight` and `bias`; papers write γ and β.
- Each feature has a scale and a bias of its own; all tokens share them. Scale 0 switches a feature off: only its bias comes out.
- They start at scale 1 and bias 0, which changes nothing.
- Equal for all features, the bias is the output's mean and the scale its deviation. Unequal scales move the mean even without a bias.
- After training the normalized numbers inside still have mean 0 and variance 1 (ε aside); the output need not.
]],
  sources  = { "PyTorch documentation: torch.nn.LayerNorm", "Ba, Kiros, Hinton: Layer Normalization, 2016 (arXiv:1607.06450)" },

  -- Tokens, and what a layer norm makes of them that has got somewhere already.
  data     = function(random)
    local rows        = random:normal { 32, 4, places = 2 }
    local scale, bias = tensor(random:shuffle { 0.5, 1, 1.5, 2 }), tensor(random:shuffle { -1, 0.5, 1, 1.5 })
    return { rows = rows, scale_there = scale, bias_there = bias, wanted = (nn.layer_norm(rows, { scale = scale, bias = bias })) }
  end,
  accept   = "abs(train(rows, wanted, 0.4)[41].mean) > 0.2 and abs(train(rows, wanted, 0.4)[41].var - 1) > 0.5",
  define   = {
    train      = train,
    normalized = function(x) return (nn.layer_norm(x)) end,
    after      = function(run, step) return run[1 + math.floor(step + 0.5)] end,
  },

  step "sliders" {
    title   = "After the norm",
    teaches = { "scale-and-bias" },
    data    = function(random) return { x = tensor { 1, 7, 9, 15 } } end,
    text    = [[
After the norm each number is multiplied by a **scale**, and a **bias** is added. Training finds both.

Turn them. Which one moves the mean of the output, which its deviation? Where must they stand for the output to be x again?
]],
    knobs   = { knob.linear "scale" { 0, 8, at = 1, stops = 16 }, knob.int "bias" { -10, 10, at = 0 } },
    show    = view.column {
      view.table {
        names = { "x", "normalized", "times scale", "output", "its mean", "its deviation" },
        { "x" }, { "normalized(x)" }, { "normalized(x) * scale" }, { "normalized(x) * scale + bias" },
        { "(normalized(x) * scale + bias):mean()" }, { "(normalized(x) * scale + bias):std()" },
      },
      view.bars { "normalized(x) * scale + bias", alt = "The output as bars around zero." },
    },
  },

  ask.choice "fresh" {
    title   = "Before training",
    teaches = { "scale-and-bias", "after-training" },
    data    = function(random) return { x = by_hand(random) } end,
    text    = "A new layer norm, not trained yet, is given the row {x}. What does it return?",
    show    = view.table {
      names = { "x", "normalized", "scale", "bias", "output" },
      { "x" }, { "normalized(x)" }, { "tensor.ones(x.shape)" }, { "tensor.zeros(x.shape)" }, { "normalized(x)" },
    },
    predict = true,
    option "random" {
      "the normalized row, times random numbers",
      say = "A linear layer's weights are drawn at random. Scale and bias are not: they start where they change nothing.",
    },
    option "normalized" { "the normalized row: scale 1, bias 0", right = true },
    option "zeros" {
      "zeros: scale and bias start at 0",
      say = "The bias does. A scale of 0 would let nothing of the row through; it starts at 1.",
    },
    option "x" {
      "the row as it was: scale and bias undo the norm",
      say = "For this row a scale of {x:std()} and a bias of {x:mean()} would. A new layer does not know this row; it starts with 1 and 0.",
    },
    why     = "Times 1, plus 0: {normalized(x)}, mean 0 and variance 1. Whatever is different later was learned.",
  },

  ask.tensor "vector" {
    title   = "Scale and bias by hand",
    teaches = { "scale-and-bias" },
    data    = function(random)
      return { x = by_hand(random), g = random:pick { 2, 3, 4, 0.5 }, b = random:pick { -3, -2, -1, 1, 2, 3 } }
    end,
    text    = [[
A layer norm has scale {g} and bias {b} for every feature. What does it return for {x}?

Mean {x:mean()}, deviation {x:std()}. ε is too small to matter.
]],
    show    = view.pipeline { "x", scale = "g", bias = "b" },
    hide    = { "centred", "squared", "normalized", "scaled", "shifted" },
    answer  = "normalized(x) * g + b",
    mistake "before" {
      by  = "normalized(x * g) + b",
      say = "The scale makes no difference in your row. Before the norm it is divided out again: multiply *after* the norm.",
    },
    mistake "bias-first" {
      by  = "(normalized(x) + b) * g",
      say = "You added the bias first, so it was multiplied by {g} as well. First times {g}, then plus {b}.",
    },
    mistake "sign" {
      by  = "normalized(x) * -g + b",
      say = "The normalized numbers have the wrong sign: subtract the mean from each number, not each number from the mean.",
    },
    mistake "swapped" {
      by   = "normalized(x) * b + g",
      when = "g ~= b",
      say  = "You took the two for each other: the scale, {g}, multiplies, and the bias, {b}, is added.",
    },
    mistake "plain"     { by = "normalized(x)", say = "That is the normalized row. Times {g}, plus {b} is still to come." },
    mistake "no-bias"   { by = "normalized(x) * g", say = "The scale is there. Add the bias, {b}, to each number." },
    mistake "raw" {
      by  = "x * g + b",
      say = "You scaled x itself. Normalize it first: minus {x:mean()}, divided by {x:std()}.",
    },
    mistake "moments"   { by = "{ b, g }", say = "Those are the output's mean and deviation. Asked are its {#x} numbers, one for each of {x}." },
    mistake "divided" {
      by  = "normalized(x) / g + b",
      say = "You divided by the scale. The norm divides by the deviation; the scale multiplies.",
    },
    hints   = {
      "Three things in this order: normalize, times scale, plus bias.",
      "The normalized row is {normalized(x)}.",
    },
    why     = "{normalized(x)} times {g} is {normalized(x) * g}; plus {b} gives {answer}.",
  },

  ask.tensor "moments" {
    title   = "Mean and deviation then",
    teaches = { "scale-and-bias", "after-training" },
    data    = function(random) return { g = random:pick { 0.5, 2, 3, 4 }, b = random:pick { -3, -2, -1, 1, 2, 3 } } end,
    text    = [[
The scale is {g} and the bias {b}, for every feature. What are the mean and the deviation of the output, for any row that is not nearly
constant? Type both: `mean, deviation`.
]],
    answer  = "{ b, g }",
    mistake "normal"   { by = "{ 0, 1 }", say = "That is the normalized row. Multiply it by {g} and add {b}: what becomes of 0, and of a distance of 1?" },
    mistake "swapped"  { by = "{ g, b }", say = "The other way round: the mean first, and it is not the scale that moves it." },
    mistake "variance" { by = "{ b, g * g }", say = "{g * g} is the variance. The deviation is its root." },
    mistake "still"    { by = "{ b, 1 }", say = "The mean is right. Distances from it are multiplied by {g}, and so is the deviation." },
    mistake "centred"  { by = "{ 0, g }", say = "The deviation is right. Adding {b} to every number adds {b} to their mean." },
    mistake "scaled"   { by = "{ b * g, g }", say = "The bias is added after the scale, so it is not multiplied." },
    mistake "scaled-variance" {
      by  = "{ b * g, g * g }",
      say = "The bias is added after the scale, so it is not multiplied. And {g * g} is the variance: the deviation is its root.",
    },
    hints   = { "The normalized row has mean 0 and deviation 1. Times {g}?", "Mean 0 and deviation {g}. Plus {b}?" },
    why     = "The mean 0 becomes {b}, the deviation 1 becomes {g}. A row that had them already comes back as it was; every other row gets them.",
  },

  step "each" {
    title   = "A feature at a time",
    teaches = { "scale-and-bias", "after-training" },
    data    = function(random)
      return { x = tensor { 1, 7, 9, 15 }, learned = tensor({ { 1, 0 }, { 1, 0 }, { 1, 0 }, { 1, 0 } }, { "feature", "learned" }) }
    end,
    given   = { gamma = "learned:transpose()[1]", beta = "learned:transpose()[2]" },
    text    = [[
In truth each feature has its own scale and bias. Make the scales 0.5, 1, 2, 4: why does the mean move, though all biases are 0?

How can a feature be switched off?
]],
    edit    = { "learned" },
    show    = view.column {
      view.heat { "learned", names = { "scale", "bias" } },
      view.table {
        names = { "x", "normalized", "output", "its mean", "its deviation" },
        { "x" }, { "normalized(x)" }, { "normalized(x) * gamma + beta" }, { "(normalized(x) * gamma + beta):mean()" },
        { "(normalized(x) * gamma + beta):std()" },
      },
    },
  },

  ask.number "mean" {
    title   = "Where the mean goes",
    teaches = { "scale-and-bias", "after-training" },
    data    = function(random)
      local scales = random:pick { { 0.5, 1, 2, 4 }, { 4, 2, 1, 0.5 }, { 1, 4, 0.5, 2 }, { 2, 0.5, 4, 1 }, { 4, 0.5, 2, 1 } }
      local bias   = random:shuffle { 0, 0, 0, random:integer(1, 2) }
      return { n = random:pick { 1, -1 } * tensor { -1.4, -0.2, 0.2, 1.4 }, g = tensor(scales), b = tensor(bias) }
    end,
    text    = [[
A normalized row is {n}. The scales are {g}, the biases {b}.

What is the mean of the output?
]],
    answer  = "(n * g + b):mean()",
    mistake "bias" {
      by  = "b:mean()",
      say = "{got} is the mean of the biases. It would be that if all scales were equal: here some features weigh more than others.",
    },
    mistake "zero" {
      by  = "0",
      say = "The normalized numbers have mean 0. Multiplied by different scales they do not balance any more, and there is a bias.",
    },
    mistake "no-bias"    { by = "(n * g):mean()", say = "That is without the bias. One feature has one." },
    mistake "bias-whole" { by = "(n * g):mean() + b:sum()", say = "The bias is added to one feature of {#n}, so the mean gets a quarter of it." },
    mistake "bias-first" {
      by   = "((n + b) * g):mean()",
      when = "(b * g):sum() ~= #n * b:sum()",
      say  = "You added the bias before the scale. It comes after, and is not multiplied.",
    },
    mistake "sum"        { by = "(n * g + b):sum()", say = "{got} is the sum of the output. Divide it by {#n}." },
    mistake "scales"     { by = "g:mean() + b:mean()", say = "You averaged scales and biases. Multiply each normalized number by its own scale first." },
    hints   = { "Work out the four numbers of the output first.", "Scaled they are {n * g}. Add the bias, then average." },
    why     = "The output is {n * g + b}, its mean {answer}. The scales weigh the features, so what balanced before does not balance now.",
  },

  ask.shape "shape" {
    title   = "The shape of the scale",
    teaches = { "scale-and-bias" },
    data    = function(random) return { B = random:integer(2, 4), T = random:integer(5, 7), F = random:pick { 8, 12, 16 } } end,
    given   = { x = "tensor.zeros { B, T, F }" },
    text    = "x has the shape {x.shape}: batch, tokens, features. It is normalized over the features. What is the shape of the scale?",
    answer  = "{ F }",
    also    = { "{ 1, F }", "{ 1, 1, F }" },
    mistake "positions" {
      by  = "{ T }",
      say = "That is a scale for each *position*. It fails as soon as a text has not {T} tokens, and it says nothing about features.",
    },
    mistake "tokens" {
      by  = "{ T, 1 }",
      say = "That goes along the tokens: a scale for each *position*. It fails as soon as a text has not {T} tokens.",
    },
    mistake "statistics" { by = "{ B, T, 1 }", say = "That is the shape of the means: one for each token. The scale is learned, and the same for all tokens." },
    mistake "every"      { by = "{ B, T, F }", say = "That would learn a number for every place of this one batch. The next batch has other tokens." },
    mistake "table"      { by = "{ T, F }", say = "That is a scale for each feature at each position. All positions share the {F} scales." },
    mistake "one"        { by = "{ 1 }", say = "One number for all would be too little: each feature has its own." },
    mistake "both"       { by = "{ 2, F }", say = "That is scale and bias together. The scale alone is asked for." },
    hints   = { "Which of batch, token and feature has a scale of its own?", "It must go with any number of samples and tokens, and tell features apart." },
    why     = "One number for each feature, {answer}. In `normalized * scale` shapes are lined up from the right, so it meets the features.",
  },

  ask.choice "trained" {
    title   = "After training",
    teaches = { "after-training" },
    given   = { steps = "0", run = "train(rows, wanted, 0.4)", now = "run[steps + 1]" },
    text    = [[
Training on 32 tokens, drawn from a normal distribution, moves scale and bias so that the **loss** falls: the mean square of output minus
wanted output. The first token's output has mean 0, variance 1. And after 40 steps?
]],
    knobs   = { knob.int "steps" { 0, STEPS } },
    show    = view.table {
      names = { "scale", "bias", "mean", "variance" },
      { "now.scale" }, { "now.bias" }, { "now.mean" }, { "now.var" },
    },
    predict = { from = { steps = 0 }, to = { steps = STEPS } },
    option "normal" {
      "still mean 0, variance 1",
      say = "That holds for the normalized numbers. Scale and bias come after, and training has moved them.",
    },
    option "mean" {
      "another mean, variance 1",
      say = "The bias moved the mean. But the scale was trained as well: the variance is now {run[41].var}.",
    },
    option "variance" {
      "mean 0, another variance",
      say = "The scale changed the variance. But the bias was trained too, and unequal scales also move the mean: it is now {run[41].mean}.",
    },
    option "both" { "another mean, another variance", right = true },
    why     = "Mean {run[41].mean}, variance {run[41].var}: scale and bias go where the loss leads them. Only the numbers before them keep mean 0 and variance 1.",
  },

  step "curve" {
    title   = "Step by step",
    teaches = { "after-training" },
    given   = { run = "train(rows, wanted, lr)", lr = "0.4", now = "run[steps + 1]", steps = "0" },
    text    = [[
Such a training as curves. The wanted outputs have scale {scale_there} and bias {bias_there}. Turn **steps**: when are these found? Turn
**lr**, the learning rate: does it change where they end, or how soon?
]],
    knobs   = { knob.int "steps" { 0, STEPS }, knob.log "lr" { 0.05, 2, at = 0.4, stops = 30 } },
    show    = view.column {
      view.table { names = { "scale", "bias" }, { "now.scale" }, { "now.bias" } },
      view.plot {
        over  = { "step", 0, STEPS },
        lines = {
          { "after(run, step).loss", label = "loss" }, { "after(run, step).mean", label = "mean" },
          { "after(run, step).var", label = "variance" },
        },
        marks = { { "steps", label = "now" } },
      },
    },
  },
}
