-- What narrow types do to a norm: digits, range, sums, and three ways to a variance.

local names = { "float32", "float16", "bfloat16" }

-- The sum of `count` times `value`, rounded to the type after each addition.
local function total(count, value, type)
  return tensor.full({ max(math.floor(count), 1) }, value):sum("all", { accumulate = type })[1]
end

-- Layer norm, and RMSNorm, with every step rounded to the type.
local function layer_norm(x, eps, type)
  return (nn.layer_norm(x:cast(type), { eps = eps, accumulate = type })):cast("float32")
end

local function rms_norm(x, type)
  return (nn.rms_norm(x:cast(type), { accumulate = type })):cast("float32")
end

local function mean_square(x, type)
  return (x * x):mean("all", { accumulate = type })[1]
end

-- As float32 keeps it between 2^30 and 2^31.
local function multiple(value)
  return 128 * math.floor(value / 128 + 0.5)
end

local function one_pass(x)
  return x:var("all", { accumulate = "float32", method = "one-pass" })[1]
end

local rows = { loud = { 300, 100, -200, 50 }, far = { 1000, 1001, 1002, 1003 } }

return lesson "mixed-precision" {
  format   = 1,
  title    = "Mixed precision",
  about    = "Layer norm in float16 and bfloat16: what overflows, what gets lost, and what to do in float32.",
  minutes  = 10,
  needs    = { "normalize", "epsilon" },
  goal     = [[
Networks are often run in number types of 16 bits. You will be able to say where a norm goes wrong in them, and to tell a safe way to compute
it from an unsafe one: by range, by digits, by how the variance is taken.

You need to know how to normalize a token, and what ε is for.
]],
  remember = [[
- float16 has 11 binary digits and ends at 65504. bfloat16 has float32's range, but only 8 digits. float32 has 24.
- In float16 the square of 256 is infinite, and an ε of 1e-8 is 0.
- A sum in a narrow type stands still when what is added is no more than half the distance to the next number.
- One pass, mean of squares minus mean², subtracts two nearly equal numbers: with a mean far from 0 its variance is nonsense, even in float32. Subtract the mean first, or take Welford's method.
- The usual recipe: keep the row in 16 bits, compute its norm in float32, round the result once. Look up how *your* program does it.
]],
  sources  = {
    "Micikevicius et al.: Mixed Precision Training, 2017 (arXiv:1710.03740)", "PyTorch documentation: torch.amp; torch.nn.LayerNorm",
    "IEEE 754: Standard for Floating-Point Arithmetic", "Welford: Note on a Method for Calculating Corrected Sums of Squares and Products, 1962",
  },

  define   = {
    total = total, layer_norm = layer_norm, rms_norm = rms_norm, mean_square = mean_square, multiple = multiple, one_pass = one_pass,
    row = function(name) return tensor(rows[name]) end,
  },

  step "bits" {
    title   = "Three types",
    teaches = { "mixed-precision" },
    data    = function(random) return { x = tensor { 0.1, 2051, 70000, 1e-8 } } end,
    text    = [[
How each type keeps one number of a row. The *exponent* gives the range, the *fraction* the digits; a 1 before the fraction is a digit, too,
that need not be kept.

Move through the four numbers with ← and →, and change them. Which does float16 lose, to infinity or to 0? Which does bfloat16 keep worse than float16?
]],
    edit    = { "x" },
    show    = view.precision { "x", methods = {} },
  },

  ask.choice "tiny" {
    title   = "A tiny ε",
    teaches = { "mixed-precision" },
    data    = function(random) return { c = random:integer(2, 9) } end,
    given   = { x = "tensor.full({ 3 }, c)" },
    text    = [[
The table has ε in each type, and the layer norm of {x} computed in it. The smallest float16 above 0 is about 6e-8.

ε goes down to 1e-8. What do we get in float16?
]],
    knobs   = { knob.log "eps" { 1e-12, 1e-3, at = 1e-3, stops = 36, label = "ε" } },
    show    = view.table {
      head  = names,
      names = { "ε", "normalized" },
      { "tensor { eps }", "tensor { eps }:cast('float16')", "tensor { eps }:cast('bfloat16')" },
      { "layer_norm(x, eps, 'float32')", "layer_norm(x, eps, 'float16')", "layer_norm(x, eps, 'bfloat16')" },
    },
    predict = { from = { eps = 1e-3 }, to = { eps = 1e-8 } },
    option "kept" {
      "1e-8, and {x} becomes 0",
      say = "float16 has nothing between 0 and 6e-8. ε has to be one of the two.",
    },
    option "smallest" {
      "6e-8, and {x} becomes 0",
      say = "Rounding takes what is nearest, and 1e-8 is nearer to 0 than to 6e-8.",
    },
    option "harmless" {
      "0, and {x} becomes 0",
      say = "ε is 0, yes. But then the divisor is sqrt(0 + 0), and 0/0 is not a number.",
    },
    option "nan" { "0, and {x} becomes nan", right = true },
    why     = "1e-8 rounds to 0, so a constant token is 0/0. 1e-5, PyTorch's ε for layer norm, is still there in float16; 1e-12, BERT's, is not. In float32 all of them are.",
  },

  step "adding" {
    title   = "Adding up",
    teaches = { "mixed-precision" },
    data    = function(random) return { n = 4096 } end,
    text    = [[
A mean is a sum first. Here **n** ones are added one by one, in each type: after each addition the sum is rounded.

Turn **n**. Which two sums stand still, and where? Write each as 2^k. How many digits, the fraction and the 1 before it, does its type keep?
]],
    knobs   = { knob.int "n" { 1, 5000 } },
    show    = view.column {
      view.table {
        head  = names,
        names = { "sum", "mean" },
        { "total(n, 1, 'float32')", "total(n, 1, 'float16')", "total(n, 1, 'bfloat16')" },
        { "total(n, 1, 'float32') / n", "total(n, 1, 'float16') / n", "total(n, 1, 'bfloat16') / n" },
      },
      view.plot {
        over  = { "count", 1, 5000, label = "n" },
        lines = {
          { "total(count, 1, 'float32')", label = "float32" }, { "total(count, 1, 'float16')", label = "float16" },
          { "total(count, 1, 'bfloat16')", label = "bfloat16" },
        },
        marks = { { "n", label = "n" } },
      },
    },
  },

  ask.number "sum" {
    title   = "Where it stands still",
    teaches = { "mixed-precision" },
    data    = function(random)
      return { n = random:pick { 4096, 5000, 10000 }, v = random:pick { 1, 4, 0.25 }, type = random:pick { "float16", "bfloat16" } }
    end,
    given   = { digits = "type == 'float16' and 11 or 8" },
    text    = [[
{n} numbers are added one by one in {type}, which keeps {digits} binary digits. Each is {v}. After each addition the sum is rounded; a sum half-way
between two goes to the one whose last binary digit is 0.

What is the sum?
]],
    answer  = "total(n, v, type)",
    mistake "exact" {
      by  = "n * v",
      say = "That is the exact sum. {type} gets there only as long as {digits} digits are enough for every sum on the way.",
    },
    mistake "fraction" {
      by  = "2 ^ (digits - 1) * v",
      say = "You counted {digits - 1} digits, those of the fraction. The 1 before it is a digit too, which makes {digits}.",
    },
    mistake "last" {
      by   = "(2 ^ digits - 1) * v",
      when = "v ~= 0.25",
      say  = "{2 ^ digits - 1} is the largest whole number of {digits} digits. But 2^{digits} is there, too: a 1 and only zeros.",
    },
    mistake "next" {
      by   = "2 ^ (digits + 1) * v",
      when = "n ~= 4096 or digits ~= 11",
      say  = "The sum does not get that far. With {digits} digits, what comes after 2^{digits} × {v}?",
    },
    mistake "other" {
      by  = "2 ^ (19 - digits) * v",
      say = "That would be so with {19 - digits} digits, in the other type of 16 bits. {type} has {digits}.",
    },
    mistake "count" {
      by   = "2 ^ digits",
      when = "v ~= 1",
      say  = "After {got} additions it stands still. But each one brought {v}.",
    },
    mistake "largest" {
      by   = "65504",
      when = "digits == 11",
      say  = "{got} is the largest number of float16. The sum stands still long before.",
    },
    hints   = {
      "Count in units of {v}. With {digits} binary digits, up to which whole number is every one there?",
      "Up to 2^{digits}. After that comes every second one only: 2^{digits} + 1 is half-way, and where does it go?",
    },
    why     = [[
2^{digits} × {v} = {answer}. There {v} more is half-way to the next number, and each time it rounds back. The mean comes out as {answer / n}, not {v}. Real programs
add in float32, or in parts, and so avoid this.
]],
  },

  ask.choice "squares" {
    title   = "Squares in float16",
    teaches = { "mixed-precision" },
    data    = function(random) return { x = tensor(random:shuffle { random:pick { 300, 400, 500, 600 }, 100, -200, 50 }) } end,
    text    = [[
RMSNorm divides x by the root of the mean of its squares. x is {x}; the table begins with float32.

What comes out if each step is rounded to float16, which ends at 65504?
]],
    knobs   = { knob.pick "type" { "float32", "float16", "bfloat16" } },
    show    = view.table {
      names = { "squares", "their mean", "RMSNorm" },
      { "(x * x):cast(type):cast('float32')" }, { "mean_square(x, type)" }, { "rms_norm(x, type)" },
    },
    predict = { from = { type = "float32" }, to = { type = "float16" } },
    option "digits" {
      "the same, to three digits",
      say = "float16 has the three digits, but not the range: the square of {max(x)} is {max(x) * max(x)}.",
    },
    option "infinite" {
      "infinity, for the largest at least",
      say = "The mean of the squares becomes infinite. But x is *divided* by its root.",
    },
    option "nan" {
      "nan, for all four",
      say = "inf/inf would be nan. x itself is finite, and a finite number divided by infinity is 0.",
    },
    option "zeros" { "zeros, all four", right = true },
    why     = "{max(x)}² = {max(x) * max(x)} is beyond 65504, so one square is infinite, and so is the mean. Everything divided by that is 0, without an error. bfloat16 has the range, but look at its digits.",
  },

  step "variance" {
    title   = "Three ways to a variance",
    teaches = { "mixed-precision" },
    text    = [[
[m, m + 1, m + 2, m + 3] has the variance 1.25 for every m. *one-pass* is the mean of squares minus mean²; *two-pass* takes the mean
first; *welford* goes through once and corrects both with every number.

Turn **m**: which one fails in float32, and from about where on? In bfloat16 all three fail at 40000: how is x1 kept there?
]],
    knobs   = { knob.log "m" { 1, 1e6, at = 40000, stops = 36 } },
    show    = view.precision { "tensor { 0, 1, 2, 3 } + math.floor(m + 0.5)" },
  },

  ask.number "one-pass" {
    title   = "One pass in float32",
    teaches = { "mixed-precision" },
    data    = function(random) return { x = tensor { 0, 1, 2, 3 } + 250 * random:integer(145, 183) } end,
    given   = { kept = "mean_square(x, 'float32')", square = "x:mean() ^ 2", wrong = "one_pass(x)" },
    accept  = "wrong ~= 0",
    text    = [[
x is {x}. The mean of its squares has become {kept|0}; mean² is {square|2}, before rounding. Here float32 has only multiples of 128.

What variance does one pass get, mean of squares minus mean², each step rounded?
]],
    show    = view.precision { "x", types = { "float32" }, methods = { "one-pass", "two-pass" } },
    hide    = { "value", "error" },
    answer  = "wrong",
    mistake "exact" { by = "x:var()", say = "That is the right variance. One pass, with these roundings, gets another one." },
    mistake "fused" {
      by  = "kept - square",
      say = "You did not round mean² to a multiple of 128. (Some processors do not, either. {got} is as wrong.)",
    },
    mistake "sign" { by = "-wrong", say = "The other way round: mean² is subtracted *from* the mean of the squares, whatever sign comes out." },
    mistake "zero" { by = "0", say = "They do not round to the same multiple of 128. Which one is nearest to {square|2}?" },
    hints   = {
      "mean² / 128 = {square / 128|3}. Round that to a whole number.",
      "mean² becomes {multiple(square)|0}.",
    },
    why     = [[
{kept|0} - {multiple(square)|0} = {answer}; 1.25 is right. A negative variance has nan for a root.
On a processor that rounds product and sum together (fused multiply-add) it would be {kept - square} or {multiple((x * x):mean()) - square}.
]],
  },

  step "two-types" {
    title   = "Two types at once",
    teaches = { "mixed-precision" },
    text    = [[
*Mixed* precision: the row is **kept** in one type, and the **steps** of layer norm are rounded to another. Two **rows**: loud, {row('loud')}, and far, {row('far')}.

Take float16 for both, then bfloat16 for both: which rows go wrong? Now the steps in float32: what does that mend, and what not?
]],
    knobs   = {
      knob.pick "rows" { "loud", "far" }, knob.pick "kept" { "float32", "float16", "bfloat16", at = "'float16'" },
      knob.pick "steps" { "float32", "float16", "bfloat16", at = "'float16'" },
    },
    show    = view.compare {
      "(nn.layer_norm(row(rows)))", "(nn.layer_norm(row(rows):cast(kept), { accumulate = steps }))", names = { "exact", "mixed" },
    },
  },

  ask.choice "recipe" {
    title   = "A safe recipe",
    teaches = { "mixed-precision" },
    text    = "A layer norm gets rows in float16. Their numbers may be large, and their mean far from 0. Which program is safe?",
    option "sum" {
      "square in float16, add the squares in float32",
      say = "The squares are infinite before they are added: from 256 on, in float16.",
    },
    option "one-pass" {
      "convert to float32, then mean of squares minus mean²",
      say = "Nothing overflows. But with a mean far from 0 the two are nearly equal, and their difference is rounding.",
    },
    option "bfloat16" {
      "convert to bfloat16, which has float32's range",
      say = "The range is enough. But 3 of the 11 digits are gone with the conversion, and every step is rounded to 8.",
    },
    option "two-pass" { "convert to float32, subtract the mean, then square", right = true },
    option "eps" {
      "all in float16, with a larger ε",
      say = "A larger ε keeps the divisor from 0. It does not keep a square from infinity.",
    },
    why     = "float32 has the range and the digits, and without their mean the squares are small; round once, at the end. PyTorch's layer norm takes the statistics of a float16 row in float32, and so does Llama's RMSNorm in Hugging Face's Transformers. For another program, look.",
  },
}
