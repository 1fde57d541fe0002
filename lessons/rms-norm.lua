-- RMSNorm: division by the root mean square, without a mean; beside layer norm.

-- Three numbers whose sizes rise; with `signs` the middle one may be below 0.
local function rising(random, signs)
  local a = random:integer(1, 2)
  local b = a + random:integer(1, 2)
  local c = b + random:integer(1, 3)
  return tensor { a, signs and random:pick { b, -b } or b, c }
end

local function rms(x)
  return sqrt((x * x):mean())
end

return lesson "rms-norm" {
  format   = 1,
  title    = "RMSNorm",
  about    = "Divide by the root mean square and leave the mean in: what stays as with layer norm, and what does not.",
  minutes  = 9,
  needs    = { "normalize", "epsilon", "scale-bias" },
  goal     = [[
You will be able to work out RMSNorm by hand, the norm that many language models use in place of layer norm.

You will know for which rows the two agree, what a shift does to each of them, and where implementations put ε.

You need to know layer norm, with its ε and its scale and bias.
]],
  remember = [[
- `RMSNorm(x) = x / sqrt(mean of x² + eps) * scale`. No mean is subtracted, and as a rule there is no bias.
- Stretching a row changes neither norm (ε aside). Shifting it changes RMSNorm alone.
- Where a row's mean is 0, RMSNorm and layer norm are the same.
- PyTorch puts ε under the root and takes the type's machine epsilon if none is given. The authors' program adds 1e-8 to the root. These differ on quiet rows.
- There is one statistic less to compute. How much time that saves depends on the model: 7 to 64 % in its paper.
]],
  sources  = {
    "Zhang, Sennrich: Root Mean Square Layer Normalization, 2019 (arXiv:1910.07467)", "PyTorch documentation: torch.nn.RMSNorm",
    "Touvron et al.: LLaMA, 2023 (arXiv:2302.13971), which uses it",
  },

  define = {
    rms     = rms,
    layer   = function(x) return (nn.layer_norm(x)) end,
    rmsnorm = function(x) return (nn.rms_norm(x)) end,
  },

  step "columns" {
    title   = "Without the mean",
    teaches = { "rms-norm" },
    data    = function(random) return { x = tensor { 1, 2, 3 } } end,
    text    = [[
RMSNorm divides a row by its **RMS**, the root of the mean of its squares: here {rms(x)}. The mean stays in. Then comes a scale for each feature;
as a rule there is no bias.

Give one number a minus sign. What changes in RMSNorm's row, what in layer norm's?
]],
    edit    = { "x" },
    show    = view.column {
      view.tokens { "x", names = { "RMSNorm" }, norm = "rms" },
      view.table { names = { "RMSNorm", "layer norm" }, { "rmsnorm(x)" }, { "layer(x)" } },
    },
  },

  ask.number "rms" {
    title   = "The root mean square",
    teaches = { "rms-norm" },
    data    = function(random) return { x = rising(random) } end,
    text    = "What is the RMS of {x}?",
    answer  = "rms(x)",
    mistake "deviation" {
      by  = "x:std()",
      say = "That is the deviation: you subtracted the mean, {x:mean()}. The RMS squares the numbers as they are.",
    },
    mistake "length"    { by = "sqrt((x * x):sum())", say = "You took the root of the *sum* of the squares. Divide it by {#x} before the root." },
    mistake "no-root"   { by = "(x * x):mean()", say = "{got} is the mean of the squares. Its root is asked for." },
    mistake "sum"       { by = "(x * x):sum()", say = "{got} is the sum of the squares. Divide it by {#x}, then take the root." },
    mistake "mean"      { by = "x:mean()", say = "{got} is the mean. Square the numbers first." },
    mistake "less" {
      by  = "sqrt((x * x):sum() / (#x - 1))",
      say = "You divided by n - 1 = {#x - 1}. There are {#x} squares: divide by {#x}.",
    },
    hints   = { "Read it backwards: *squares*, their *mean*, its *root*.", "The squares are {x * x}." },
    why     = "The squares {x * x} have the mean {(x * x):mean()}, and its root is {answer}.",
  },

  ask.tensor "vector" {
    title   = "RMSNorm by hand",
    teaches = { "rms-norm" },
    data    = function(random) return { x = rising(random, true) } end,
    text    = "What does RMSNorm make of {x}? Its scale is 1, and ε is too small to matter.",
    show    = view.tokens { "x", names = { "x" }, norm = "rms" },
    hide    = { "var", "rstd", "after", "mean_after", "std_after" },
    answer  = "rmsnorm(x)",
    mistake "layer" {
      by  = "layer(x)",
      say = "That is layer norm: you subtracted the mean, {x:mean()}. RMSNorm leaves it in.",
    },
    mistake "length" {
      by  = "x / sqrt((x * x):sum())",
      say = "You divided by the length, the root of the *sum* of the squares. The RMS is the root of their mean.",
    },
    mistake "no-root"   { by = "x / (x * x):mean()", say = "You divided by the mean square, {(x * x):mean()}. Take its root first." },
    mistake "deviation" {
      by  = "x / x:std()",
      say = "You divided by the deviation, {x:std()}, for which the mean is subtracted. The RMS squares the numbers as they are: {rms(x)}.",
    },
    mistake "centred" {
      by  = "(x - x:mean()) / rms(x)",
      say = "The divisor is right. But nothing is subtracted from the numbers: divide x itself.",
    },
    mistake "mean"      { by = "x / x:mean()", say = "You divided by the mean. Squares first: the RMS is {rms(x)}." },
    mistake "minus" {
      by   = "x / sqrt((x * abs(x)):mean())",
      when = "x:min() < 0",
      say  = "You counted the square of {x:min()} as {-(x:min() * x:min())}. A square is never below 0. In Python write `(-2) ** 2`: `-2 ** 2` is -4.",
    },
    mistake "positive"  { by = "abs(rmsnorm(x))", when = "x:min() < 0", say = "The sizes are right. The RMS is above 0, so every number keeps its sign." },
    hints   = { "First the RMS of the row. Then divide each number by it.", "The mean of the squares is {(x * x):mean()}, the RMS {rms(x)}." },
    why     = "{x} divided by {rms(x)}. The squares of the result have mean 1; its own mean is {answer:mean()}, not 0.",
  },

  ask.choice "shift" {
    title   = "A hundred more",
    teaches = { "rms-norm" },
    data    = function(random) return { x = rising(random), shift = 0 } end,
    text    = "100 is added to each number of {x}. What becomes of the two normalized rows?",
    knobs   = { knob.int "shift" { 0, 100 } },
    show    = view.table {
      names = { "x + shift", "RMS", "deviation", "layer norm", "RMSNorm" },
      { "x + shift" }, { "rms(x + shift)" }, { "(x + shift):std()" }, { "layer(x + shift)" }, { "rmsnorm(x + shift)" },
    },
    predict = { from = { shift = 0 }, to = { shift = 100 } },
    option "neither" {
      "neither changes",
      say = "Layer norm subtracts the mean, and with it the 100. RMSNorm does not: the 100 stays in the numbers and in the RMS.",
    },
    option "large" {
      "layer norm stays; RMSNorm: about 100 each",
      say = "The numbers are about 100 each, but so is their RMS, by which they are divided.",
    },
    option "turned" {
      "RMSNorm stays; layer norm: about 1 each",
      say = "The other way round: it is layer norm that takes the 100 away with the mean.",
    },
    option "ones" { "layer norm stays; RMSNorm: about 1 each", right = true },
    why     = [[
RMSNorm gives {rmsnorm(x + 100)}. The RMS is {rms(x + 100)}, nearly the mean; the deviation is still {x:std()}. What tells the numbers apart
has become small beside what they share.
]],
  },

  step "meet" {
    title   = "Where the two meet",
    teaches = { "rms-norm" },
    data    = function(random)
      local far = random:pick { { -5, -2, 1, 6 }, { -6, -1, 2, 5 }, { -4, -3, 0, 7 }, { -7, 1, 2, 4 } }
      return { x = tensor(random:shuffle(far)) + random:integer(2, 8) * random:pick { 1, -1 } }
    end,
    text    = [[
To each number of {x} **shift** is added; then the row is multiplied by **stretch**. Does either knob change layer norm's result? Which changes
RMSNorm's?

At which shift do the two norms agree? What are the mean, the RMS and the deviation of the row there?
]],
    given   = { row = "(x + shift) * stretch", shift = "0", stretch = "1" },
    knobs   = { knob.int "shift" { -20, 20 }, knob.linear "stretch" { 1, 11, stops = 20 } },
    show    = view.column {
      view.table {
        head = { "row", "mean", "RMS", "deviation" },
        { "row", "row:mean()", "rms(row)", "row:std()" },
      },
      view.compare { "layer(row)", "rmsnorm(row)", names = { "layer norm", "RMSNorm" } },
    },
  },

  ask.choice "equal" {
    title   = "The same result",
    teaches = { "rms-norm" },
    text    = "Both norms have the same scale and no bias, and ε does not matter. When do they give the same result?",
    option "never" {
      "never: the formulas are different",
      say = "Take [-1, 0, 1]. What is subtracted, and what are its RMS and its deviation?",
    },
    option "always" {
      "always, once the scale is trained",
      say = "Add 100 to a row: layer norm stays, RMSNorm does not. One scale cannot be right for the row and for the shifted row.",
    },
    option "deviation" {
      "when the row's deviation is 1",
      say = "A row with deviation 1 and mean 100 has an RMS of about 100. Layer norm divides by 1, RMSNorm by 100.",
    },
    option "zero" { "when the row's mean is 0", right = true },
    why     = "Subtracting 0 changes nothing, and then the variance is the mean of the squares. So layer norm is RMSNorm of the centred row.",
  },

  step "quiet" {
    title   = "Where ε stands",
    teaches = { "rms-norm" },
    data    = function(random) return { x = rising(random) } end,
    given   = { small = "x * s", s = "1" },
    text    = [[
PyTorch divides by `sqrt(mean square + ε)`. If none is given, ε is the *machine epsilon* of the number type, the step from 1 to the next
larger number: 1.19e-7 for *float32*, the usual type of 32 bits. The program of RMSNorm's authors divides by `rms + 1e-8`.

The row {x} is multiplied by **s**. Turn it down, to make the row quiet: which of the three results shrinks first, which last?
]],
    knobs   = { knob.log "s" { 1e-9, 1, at = 1, stops = 36 } },
    show    = view.table {
      names = { "row", "its RMS", "PyTorch's default", "PyTorch, ε = 1e-5", "the authors'" },
      { "small" }, { "rms(small)" }, { "(nn.rms_norm(small, { eps = 2 ^ -23 }))" }, { "(nn.rms_norm(small, { eps = 1e-5 }))" }, { "small / (rms(small) + 1e-8)" },
    },
  },

  ask.choice "recipe" {
    title   = "Is it wrong?",
    teaches = { "rms-norm" },
    given   = { r = "1e-4" },
    text    = "You read a program whose RMSNorm is `x / (rms + 1e-8) * scale`. What do you say about it?",
    option "wrong" {
      "wrong: ε must be under the root",
      say = "It need not. RMSNorm's own authors wrote it this way, and it keeps the divisor above 0 as well.",
    },
    option "same" {
      "the same as PyTorch's: ε is too small to matter",
      say = "On a row with RMS {r} this program divides by {r + 1e-8}, PyTorch's default by {sqrt(r * r + 2 ^ -23)}.",
    },
    option "mean" {
      "wrong: the mean is not subtracted",
      say = "In RMSNorm it is not; that is how it differs from layer norm.",
    },
    option "differs" { "not wrong, but unlike PyTorch's on quiet rows", right = true },
    why     = "Both are in use. What matters: a model must be run with the ε, and the place of ε, that it was trained with.",
  },
}
