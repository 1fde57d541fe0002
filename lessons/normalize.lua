-- One token through layer norm: mean, biased variance, root, division.

-- Distances from the mean of five numbers whose variance is a square, 16 or 36, and by which every usual slip shows.
local distances = {
  { -7, -1, 1, 2, 5 }, { -6, -3, 1, 3, 5 }, { -5, -3, -1, 3, 6 }, { -5, -2, -1, 1, 7 },
  { -9, -5, 3, 4, 7 }, { -9, -3, -1, 5, 8 }, { -8, -5, 1, 3, 9 }, { -7, -4, -3, 5, 9 },
}

-- Five rising whole numbers that a hand can normalize.
local function by_hand(random)
  local row, turned = tensor(random:pick(distances)), random:pick { false, true }
  if turned then
    row = tensor { -row[5], -row[4], -row[3], -row[2], -row[1] }
  end
  return row - row[1] + random:integer(1, 4)
end

return lesson "normalize" {
  format   = 1,
  title    = "Normalize one token",
  about    = "Subtract the mean, divide by the deviation: layer norm by hand, and how far it can go.",
  minutes  = 9,
  goal     = [[
You will be able to normalize a token by hand: its mean, its variance, the root, the division.

You will also know two things that the formula does not say aloud: why it matters that the variance is divided by n, and how large
a normalized number can get at most.

You need Python's `sum` and `len`, and square roots. Paper helps.
]],
  remember = [[
- `normalized = (x - mean) / sqrt(var + eps)`, for each token from its own numbers.
- The variance is the *biased* one: the mean of the squared distances, divided by n and not by n - 1.
- The result has mean 0 and deviation 1, unless the variance is tiny: eps is for that. The learned scale and bias that follow have a
  lesson of their own.
- Adding a number to all features, or multiplying all by one above 0, does not change the result (eps aside).
  One below 0 reverses the signs.
- With n features no result goes beyond `sqrt(n - 1)`.
]],
  sources  = { "PyTorch documentation: torch.nn.LayerNorm", "Ba, Kiros, Hinton: Layer Normalization, 2016 (arXiv:1607.06450)" },

  define = {
    centred = function(x) return x - x:mean() end,
    divided = function(x, by)  -- by n, or by one less
      return by == "n" and x:var() or x:var(nil, { unbiased = true })
    end,
    fourth  = function(x, far) return (nn.layer_norm(x:with({ 4 }, far)))[4] end,
  },

  step "columns" {
    title   = "Column by column",
    teaches = { "formula", "biased-variance" },
    data    = function(random) return { x = tensor { 1, 2, 3 } } end,
    text    = [[
Layer norm turns the **token** {x} into {(nn.layer_norm(x))}.

- **centred**: each number (a *feature*) minus the mean ({x:mean()}).
- **var**: the mean of the squares; this is the *variance*, {x:var()}.
- **1/√(var+ε)**: one over the *deviation* (std), the root of var. ε is 0.00001.
- **normalized**: centred times that.

Change one number. Do the results of the others stay?
]],
    edit    = { "x" },
    show    = view.pipeline { "x" },
  },

  ask.number "mean" {
    title   = "The mean",
    data    = function(random) return { x = by_hand(random) } end,
    text    = [[
The same as a program:

    n = len(x); mean = sum(x) / n
    var = sum((v - mean)**2 for v in x) / n
    std = sqrt(var + 1e-5)
    normalized = [(v - mean) / std for v in x]

Now by hand: what is the mean of {x}?
]],
    show    = view.bars { "x" },
    answer  = "x:mean()",
    mistake "middle" {
      by  = "x[3]",
      say = "{got} is the number in the middle. The mean is all of them added, over how many there are.",
    },
    mistake "sum"    { by = "x:sum()", say = "{got} is all {#x} added up. One step is missing: divide by {#x}." },
    mistake "less" {
      by  = "x:sum() / (#x - 1)",
      say = "You divided the sum by n - 1 = {#x - 1}. There are {#x} numbers: divide by {#x}.",
    },
    mistake "ends" {
      by  = "(x[1] + x[5]) / 2",
      say = "{got} is half-way between the smallest and the largest. The others count too.",
    },
    hints   = { "Add the {#x} numbers.", "The sum is {x:sum()}. Divide it by how many numbers there are." },
    why     = "The sum is {x:sum()}, and {x:sum()} / {#x} = {answer}.",
  },

  ask.number "variance" {
    title   = "The variance",
    teaches = { "biased-variance" },
    data    = function(random) return { x = by_hand(random) } end,
    given   = { c = "centred(x)", squares = "(c * c):sum()" },
    text    = [[
The columns open when you have answered.

A token is {x}. What is its variance, as layer norm takes it?
]],
    show    = view.pipeline { "x" },
    hide    = { "centred", "squared", "var", "rstd", "normalized" },
    answer  = "x:var()",
    mistake "unbiased" {
      by  = "squares / (#x - 1)",
      say = "You divided the sum of squares by n - 1 = {#x - 1}, as Python's `statistics.variance` does. Layer norm divides by n = {#x}.",
    },
    mistake "deviation" {
      by  = "x:std()",
      say = "{got} is the deviation. The variance is what stands under the root: do not take the root yet.",
    },
    mistake "stdev" {
      by  = "sqrt(squares / (#x - 1))",
      say = "That is a deviation, by n - 1 = {#x - 1}, as Python's `statistics.stdev` takes it. Divide by n = {#x}, and do not take the root.",
    },
    mistake "sum"       { by = "squares", say = "{got} is the sum of the squares. Divide it by n = {#x}." },
    mistake "uncentred" {
      by  = "(x * x):mean()",
      say = "That is the mean of the squares of the numbers themselves. Subtract the mean, {x:mean()}, before you square.",
    },
    mistake "distance" {
      by  = "abs(c):mean()",
      say = "{got} is the mean distance from the mean. Square the distances, then average.",
    },
    mistake "zero"      { by = "0", say = "The distances from the mean always add up to 0. Square them first." },
    hints   = {
      "Start with the mean, and subtract it from each of the numbers.",
      "The mean is {x:mean()}, which leaves {c}. Square these.",
      "The squares are {c * c}. Take their mean.",
    },
    why     = "The distances are {c}, their squares add up to {squares}, and {squares} / {#x} = {answer}.",
  },

  ask.choice "divisor" {
    title   = "By n, or by n - 1?",
    teaches = { "biased-variance" },
    data    = function(random) return { x = by_hand(random) } end,
    text    = [[
Layer norm divides the sum of squares by n. Statistics often takes n - 1, the *unbiased* variance.

With n - 1, the numbers that layer norm makes of {x} would …
]],
    knobs   = { knob.pick "by" { "n", "less", names = { n = "n", less = "n - 1" }, label = "divide by" } },
    show    = view.column {
      view.table {
        head = { "var", "normalized", "deviation after" },
        { "divided(x, by)", "centred(x) / sqrt(divided(x, by) + 1e-5)", "x:std() / sqrt(divided(x, by) + 1e-5)" },
      },
      view.bars { "centred(x) / sqrt(divided(x, by) + 1e-5)", names = { "y1", "y2", "y3", "y4", "y5" },
                  alt = "The five normalized numbers as bars around zero." },
    },
    predict = { from = { by = "n" }, to = { by = "less" } },
    option "away" {
      "all move away from 0",
      say = "A smaller divisor makes the *variance* larger, {divided(x, 'less')} instead of {x:var()}, and then you divide by more.",
    },
    option "stay" {
      "stay: they are divided by their own deviation",
      say = "By a deviation that is too large for them: {sqrt(divided(x, 'less'))}, where theirs is {x:std()}.",
    },
    option "nearer" { "all come nearer to 0", right = true },
    why     = [[
The deviation after is sqrt((n - 1) / n) = {sqrt((#x - 1) / #x)|3}, not 1. With 4096 features it would be {sqrt(4095 / 4096)|5}, which nobody sees. So the slip hides in
wide models, and shows in small tests.
]],
  },

  ask.tensor "vector" {
    title   = "The whole way",
    teaches = { "formula", "biased-variance" },
    data    = function(random) return { x = by_hand(random) } end,
    given   = { c = "centred(x)", s = "x:std()" },
    text    = "Normalize {x}. ε is too small to matter here. You may type calculations: `(8 - 3)/7`.",
    show    = view.pipeline { "x" },
    hide    = { "centred", "squared", "var", "rstd", "normalized" },
    answer  = "c / sqrt(x:var() + 1e-5)",
    mistake "unbiased" {
      by  = "c / sqrt(divided(x, 'less') + 1e-5)",
      say = "Your variance is divided by n - 1 = {#x - 1}: {divided(x, 'less')}. Divided by n = {#x} it is {x:var()}.",
    },
    mistake "no-root"   { by = "c / x:var()", say = "You divided by the variance, {x:var()}. Divide by its root." },
    mistake "centred"   { by = "c", say = "The mean is subtracted. Now divide by the root of the variance." },
    mistake "uncentred" {
      by  = "x / s",
      say = "You divided the numbers themselves. Subtract the mean, {x:mean()}, first.",
    },
    mistake "rms" {
      by  = "(nn.rms_norm(x))",
      say = "The mean was never subtracted: you divided by the root of the mean square. That is another norm, RMSNorm.",
    },
    mistake "sign"      { by = "-c / s", say = "All your signs are reversed. Subtract the mean from each number, not each number from the mean." },
    mistake "sum" {
      by  = "c / sqrt((c * c):sum())",
      say = "You took the root of the *sum* of the squares. Divide the sum by n = {#x} first.",
    },
    mistake "distance" {
      by  = "c / abs(c):mean()",
      say = "You divided by the mean distance, {abs(c):mean()}. Layer norm squares, averages and takes the root: {s}.",
    },
    mistake "min-max" {
      by  = "(x - x:min()) / (x:max() - x:min())",
      say = "That maps the smallest to 0 and the largest to 1: min-max scaling. Layer norm uses mean and deviation.",
    },
    hints   = {
      "First the mean, then the distances from it.",
      "The mean is {x:mean()} and the distances are {c}. What is their variance?",
      "The variance is {x:var()}, its root {s}. Divide each distance by it.",
    },
    why     = "Each of the distances {c} is divided by sqrt({x:var()}) = {s}. Their squares now have mean 1, which is what *normalized* says.",
  },

  step "moved" {
    title  = "Move it, stretch it",
    data   = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = [[
A token x, and the same one *moved*: x times **stretch**, plus **shift**.

Turn both knobs. Which columns follow the shift, which the stretch, and which neither? What does a stretch below 0 do, and one of 0?
]],
    knobs  = { knob.linear "stretch" { -5, 5, at = 1, stops = 20 }, knob.int "shift" { -50, 50, at = 0 } },
    show   = view.column {
      view.table {
        head  = { "numbers", "normalized" },
        names = { "x", "moved" },
        { "x", "(nn.layer_norm(x))" },
        { "x * stretch + shift", "(nn.layer_norm(x * stretch + shift))" },
      },
      view.tokens { "tensor.stack { x, x * stretch + shift }", names = { "x", "moved" } },
    },
  },

  ask.choice "far" {
    title   = "How far can one go?",
    data    = function(random) return { x = random:integers { 4, from = 1, to = 12, distinct = true } } end,
    accept  = "x[4] == x:max()",
    text    = [[
A token is {x}. Its last number grows: a hundred, a thousand, … a million. The other three stay.

How far does the last normalized number get?
]],
    knobs   = { knob.log "far" { 1, 1e6, at = "x[4]", stops = 60, label = "last" } },
    show    = view.column {
      view.table {
        head = { "token", "deviation", "normalized" },
        { "x:with({ 4 }, far)", "x:with({ 4 }, far):std()", "(nn.layer_norm(x:with({ 4 }, far)))" },
      },
      view.plot {
        over  = { "v", 1, 1e6, log = true, label = "last number" },
        lines = { { "fourth(x, v)", label = "normalized" } },
        marks = { { "far", label = "now" } },
      },
    },
    hide    = { "normalized" },
    predict = { from = { far = "x[4]" }, to = { far = 1e6 } },
    option "endless" {
      "as far as you like",
      say = "The deviation grows with it. The far number is part of what it is divided by.",
    },
    option "length" {
      "up to sqrt(4) = 2",
      say = "2 is the length of the whole normalized row, sqrt(n). The others must stay as far below 0 together as this one is above.",
    },
    option "limit"   { "up to sqrt(3) = 1.732", right = true },
    why     = "In the end the other three look alike: [a, a, a, b]. That always gives -0.577 three times and 1.732 once: sqrt(n - 1) deviations, never more.",
  },

  ask.number "farthest" {
    title   = "With more features",
    data    = function(random) return { n = random:integer(5, 60) } end,
    accept  = "sqrt(n) % 1 > 0 and sqrt(n - 1) % 1 > 0",
    text    = "A token has {n} features. How large can one of them be at most, once it is normalized?",
    answer  = "sqrt(n - 1)",
    allow   = { "n" },
    mistake "length" {
      by  = "sqrt(n)",
      say = "That is the length of the whole normalized row. One feature gets a little less: the others must balance it.",
    },
    mistake "no-root" { by = "n - 1", say = "{got} is how large its *square* can be. Take the root." },
    mistake "endless" { by = "inf", say = "A far number enlarges the deviation it is divided by. There is a limit." },
    hints   = {
      "Take {n - 1} features that are 0, and one that is {n}. What is the mean?",
      "The mean is 1, the far one is {n - 1} above it. The variance is ({n - 1} * 1 + {n - 1}^2) / {n} = {n - 1}.",
    },
    why     = "One far feature, {n - 1} alike: its distance is {n - 1}, the variance {n - 1}, and {n - 1} / sqrt({n - 1}) = {answer}.",
  },
}
