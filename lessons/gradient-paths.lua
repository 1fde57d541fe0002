-- How gradients come back through a deep stack: what each layer multiplies, and by how many paths.
local DEPTH, WIDTH = 50, 64

-- Each a matrix of random signs that leaves the length of a row about as it is.
local function matrices(random)
  return (random:integers { DEPTH, WIDTH, WIDTH, from = 0, to = 1 } * 2 - 1) / sqrt(WIDTH)
end

-- Its gradient with respect to y has the length 1.
local function loss(y)
  return y:sum("all") / sqrt(WIDTH)
end

local function length(x)
  return sqrt((x * x):sum())
end

local function is_off(off, layer)
  for _, which in ipairs(off or {}) do
    if which == layer then return true end
  end
  return false
end

-- The gradient's length at x and after each layer of skip * x + branch * (w[layer] x).
local function gradients(x, w, skip, branch, off)
  local points = { x }
  for layer = 1, DEPTH do
    local h = points[layer]
    local on = is_off(off, layer) and 0 or branch
    points[layer + 1] = h * skip + nn.linear(h, w[layer]) * on
  end
  local lengths = {}
  for i, gradient in ipairs(grad(loss(points[DEPTH + 1]), points)) do
    lengths[i] = length(gradient)
  end
  return lengths
end

-- The residual stream, each of whose branches is multiplied by `branch`.
local function trace(x, w, branch, off)
  local function sublayer(h, layer)
    return nn.linear(h, w[layer]) * branch
  end
  return nn.stack(x, { depth = DEPTH, order = "none", off = off, sublayer = sublayer, gradient = loss })
end

-- Between the numbers of a list that begins with place 0.
local function between(list, place)
  local i = min(math.floor(place), #list - 2)
  return list[i + 1] + (list[i + 2] - list[i + 1]) * (place - i)
end

-- A tenth is -1, a hundredth is -2.
local function powers_of_ten(list)
  local powers = {}
  for i, value in ipairs(list) do
    powers[i] = log(value) / log(10)
  end
  return powers
end

-- How many ways there are to choose k of n.
local function choose(n, k)
  local ways = 1
  for i = 1, k do
    ways = ways * (n - k + i) / i
  end
  return ways
end

-- For each number of sublayers on a path, 0 first: the share of the gradient that comes through such paths.
local function shares(n, factor)
  local list = {}
  for k = 0, n do
    list[k + 1] = choose(n, k) * factor ^ k / (1 + factor) ^ n
  end
  return list
end

return lesson "gradient-paths" {
  format   = 1,
  title    = "Paths for gradients",
  about    = "What comes back through many layers, without skips and with them, by how many paths, and what skips do not do.",
  minutes  = 10,
  needs    = { "residual" },
  goal     = [[
You will be able to say why a skip helps a gradient through many layers: how much arrives without skips and with them, and by
how many paths.

You will also see what skips do not do, which is why there is a norm as well.

You need to know what `x + F(x)` is: the lesson on the residual path.
]],
  remember = [[
- Going back, each layer multiplies the gradient. Fifty layers of 0.9 without skips leave 0.9^50 = {0.9 ^ 50}: the first ones learn next to nothing.
- A layer `x + F(x)` passes the gradient on as it is, on the skip, *and* through F: 1 + s instead of s.
- n layers have 2^n paths. One layer less is half of them, and the others still reach x.
- Where sublayers pass on less than they get, most of the gradient comes by shorter paths than most are.
- A skip is a way on which no gradient fades. It does not hold its size, or the stream's: branches divided by √L, or norms, hold these in check.
]],
  sources  = {
    "He, Zhang, Ren, Sun: Identity Mappings in Deep Residual Networks, 2016 (arXiv:1603.05027)",
    "Veit, Wilber, Belongie: Residual Networks Behave Like Ensembles of Relatively Shallow Networks, 2016 (arXiv:1605.06431)",
  },

  data   = function(random) return { x = random:normal { WIDTH }, unit = matrices(random) } end,
  given  = { w = "unit * 0.9" },
  define = { gradients = gradients, trace = trace, between = between, powers_of_ten = powers_of_ten, shares = shares },

  step "back" {
    title   = "A gradient on its way back",
    teaches = { "additive-path" },
    given   = { gain = "0.9", lengths = "gradients(x, unit * gain, 0, 1)", powers = "powers_of_ten(lengths)" },
    text    = [[
The *gradient* at a layer says how much the loss changes with the numbers there. It is worked out from the end backwards, and each layer
multiplies it. Where it is nearly 0, training hardly moves the weights.

Here are 50 layers without skips. Each is a 64x64 matrix of **gain**/8 with random signs, which makes a row about **gain** times as long. Shown is the
gradient's length.

The plot has powers of ten: -2 is 0.01. At which **gain** does a gradient of about 1 reach x?
]],
    knobs   = { knob.linear "gain" { 0.5, 1.5, at = 0.9, stops = 40 } },
    show    = view.column {
      view.table {
        head  = { "at x", "after 25", "after 50", "gain^50" },
        names = { "gradient" },
        { "lengths[1]", "lengths[26]", "lengths[51]", "gain ^ 50" },
      },
      view.plot {
        over  = { "layer", 0, 50 },
        lines = { { "between(powers, layer)", label = "power of ten" } },
      },
    },
  },

  ask.number "plain" {
    title   = "Without skips",
    teaches = { "additive-path" },
    data    = function(random) return { n = random:pick { 20, 24, 30, 40, 50 }, f = random:pick { 0.98, 0.95, 0.9, 0.8 } } end,
    text    = "A stack of n = {n} layers has no skips. On the way back each layer passes on f = {f} times the gradient that it gets. The gradient at the end is 1. What reaches x?",
    answer  = "f ^ n",
    digits  = 3,
    allow   = { "f", "n" },
    mistake "added" {
      by  = "n * f",
      say = "{got} is {n} × {f}. Each layer works on what the one behind it has left: multiply {f} by itself.",
    },
    mistake "one"       { by = "f", say = "That is what one layer leaves. There are {n}, one after the other." },
    mistake "taken" {
      by   = "n * f - n + 1",
      when = "n * f - n + 1 >= 0",
      say  = "You took away {1 - f} for each layer. But a later one takes its share of what is left, which is less and less.",
    },
    mistake "turned"    { by = "n ^ f", say = "The other way round: {f} is multiplied by itself, {n} times." },
    mistake "lost"      { by = "1 - f ^ n", say = "That is what is lost on the way." },
    mistake "skips"     { by = "(1 + f) ^ n", say = "That would be with skips. Here there is no way around a layer." },
    hints   = { "Two layers pass on {f} times {f} of it.", "{n} layers: {f}^{n}." },
    why     = "{f}^{n} = {answer}. Any factor below 1, even a little below, leaves next to nothing after enough layers.",
  },

  ask.number "change" {
    title   = "With skips",
    teaches = { "additive-path" },
    data    = function(random) return { n = random:integer(4, 12), s = random:pick { 0.1, 0.2, 0.25, 0.5 } } end,
    text    = [[
The gradient at x says what a small change of x does at the end. Here each of n = {n} sublayers answers with s = {s} times the
change that reaches it. Without skips, {s}^{n} = {s ^ n} of it comes out.

And with skips: how many times the change comes out?
]],
    show    = view.plot {
      over  = { "layers", 0, 12 },
      lines = { { "(1 + s) ^ layers", label = "with skips" }, { "s ^ layers", label = "without" } },
      marks = { { "n", label = "now" } },
    },
    hide    = { "with skips" },
    answer  = "(1 + s) ^ n",
    digits  = 3,
    allow   = { "n", "s" },
    mistake "plain"     { by = "s ^ n", say = "That is without skips. With them, each layer passes on the change itself as well." },
    mistake "added" {
      by  = "1 + n * s",
      say = "You added {s} for each layer. But a later layer answers to what the earlier ones added, too: multiply.",
    },
    mistake "one"       { by = "1", say = "That is the skips alone. Each sublayer adds {s} times the change." },
    mistake "two-ways"  { by = "1 + s ^ n", say = "You took the way past all sublayers and the way through all. There are those through some, too." },
    mistake "layer"     { by = "1 + s", say = "That is one layer. There are {n}, one after the other." },
    mistake "many"      { by = "(1 + s) * n", say = "{n} layers in a row multiply: each works on what the one before has made." },
    hints   = { "One layer gives back the change, from the skip, and {s} times the change, from its sublayer.", "So each layer multiplies by {1 + s}." },
    why     = "(1 + {s})^{n} = {answer}. Each layer multiplies by 1 + {s} instead of {s}: the 1 is the skip, on which nothing fades. But see that it *grows*.",
  },

  ask.choice "guess" {
    title   = "The same matrices, with skips",
    teaches = { "additive-path" },
    given   = { skips = "false", lengths = "gradients(x, w, skips and 1 or 0, 1)", powers = "powers_of_ten(lengths)" },
    text    = [[
The 50 random matrices again, of gain 0.9: each makes a gradient about 0.9 times as long, and turns it. In the view: its length on the way back.

Now each layer gets a skip: x + F(x). How long is the gradient that reaches x?
]],
    knobs   = { knob.switch "skips" {} },
    show    = view.column {
      view.table {
        head  = { "at x", "after 10", "20", "30", "40", "50" },
        names = { "gradient" },
        { "lengths[1]", "lengths[11]", "lengths[21]", "lengths[31]", "lengths[41]", "lengths[51]" },
      },
      view.plot {
        over  = { "layer", 0, 50 },
        lines = { { "between(powers, layer)", label = "power of ten" } },
      },
    },
    predict = { from = { skips = false }, to = { skips = true } },
    option "fades" {
      "far below 1, as before",
      say = "As before it would have to go through every matrix. Now there is a way around each.",
    },
    option "grows"   { "more than 100000", right = true },
    option "flat" {
      "about 1: the skips carry it",
      say = "They do carry it. But at every layer the matrix adds one 0.9 times as long, and that is carried on as well.",
    },
    option "fifty" {
      "about 45: each of the 50 layers adds 0.9",
      say = "Each adds 0.9 times *what has come together so far*, which is more and more. Multiply.",
    },
    why     = "What a matrix adds is 0.9 times as long and at about right angles, so a layer makes the gradient √(1 + 0.81) = {sqrt(1.81)} times as long. Fifty make 1.81^25 = {1.81 ^ 25}; if all pointed the same way, 1.9^50 = {1.9 ^ 50}. A skip does not keep a size.",
  },

  step "three" {
    title   = "Three stacks",
    teaches = { "additive-path" },
    given   = { branch = "'whole'", factor = "branch == 'whole' and 1 or 1 / sqrt(50)" },
    text    = [[
The same 50 layers with skips; **branch** divides what F adds by √L, L = 50. In the table: the gradient in three stacks. Walk from the last
layer to the first (Tab, then ←). What grows, what fades, what stays near 1?

Switch a branch off with the key `x`. Which gradient is gone?
]],
    knobs   = { knob.pick "branch" { "whole", "root", names = { whole = "F(x)", root = "F(x)/√L" } } },
    cursor  = { layer = 50 },
    show    = view.column {
      view.stack { "trace(x, w, factor, off)" },
      view.table {
        head  = { "at x", "after layer {cursor.layer}" },
        names = { "F(x)", "x + F(x)", "x + F(x)/√L" },
        { "gradients(x, w, 0, 1, off)[1]", "gradients(x, w, 0, 1, off)[cursor.layer + 1]" },
        { "gradients(x, w, 1, 1, off)[1]", "gradients(x, w, 1, 1, off)[cursor.layer + 1]" },
        { "gradients(x, w, 1, 1 / sqrt(50), off)[1]", "gradients(x, w, 1, 1 / sqrt(50), off)[cursor.layer + 1]" },
      },
    },
  },

  ask.number "pairs" {
    title   = "How many paths?",
    teaches = { "additive-path" },
    data    = function(random) return { n = random:pick { 5, 6, 7, 8, 9, 10, 12, 20, 54 } } end,
    text    = [[
Two layers with the factors a and b on their branches pass back

    (1 + a)(1 + b) = 1 + a + b + ab

times the gradient: one term for each *path* from the end to x, past both sublayers, through one of them, through both.

Why count paths? Where factors are below 1, a path through few sublayers carries more than one through many. So it matters how many
there are of each.

Each layer doubles them: through {n} layers go 2^{n} paths. How many of these go through exactly two sublayers, and past all others?
]],
    answer  = "n * (n - 1) / 2",
    mistake "twice"     { by = "n * (n - 1)", say = "You counted each pair twice. A path through layers 2 and 5 is the one through 5 and 2." },
    mistake "one"       { by = "n", say = "That is how many go through exactly one." },
    mistake "square"    { by = "n ^ 2", say = "That has each pair twice, and each layer with itself as well." },
    mistake "next"      { by = "n - 1", say = "Those are the pairs of neighbours. The two need not follow each other." },
    mistake "all"       { by = "2 ^ n", say = "Those are all paths." },
    mistake "half"      { by = "n / 2", say = "That is how many pairs there are if each layer may be in one only. Here any two layers make a path." },
    hints   = {
      "Of three layers: 1 and 2, 1 and 3, 2 and 3. That is three paths.",
      "The first of the two can be any of {n} layers; the other any of those that remain. Does the order matter?",
    },
    why     = "{n} × {n - 1} / 2 = {answer}, of {2 ^ n} paths in all.",
  },

  ask.choice "delete" {
    title   = "One layer less",
    teaches = { "additive-path" },
    given   = { n = "54", gone = "0" },
    text    = "A published image network has {n} residual layers. One is taken out of the trained network, so that only its skip is left. Which share of the paths remains?",
    knobs   = { knob.int "gone" { 0, 6, label = "taken out" } },
    show    = view.table {
      names = { "layers", "paths", "share of the paths" },
      { "n - gone" }, { "2 ^ (n - gone)" }, { "2 ^ -gone" },
    },
    predict = { from = { gone = 0 }, to = { gone = 1 } },
    option "layers" {
      "53/54 of them",
      say = "That is the share of the *layers*. Every path either goes through this layer or past it.",
    },
    option "half"    { "half of them", right = true },
    option "none" {
      "none: the chain is broken",
      say = "So it would be without skips. Here the paths past that layer remain.",
    },
    option "all" {
      "all of them: the skip is still there",
      say = "The paths past the layer are still there. Those through it are gone.",
    },
    why     = "For each path through the layer there is one past it that is otherwise the same. Each further layer halves them again. In the published test the network still worked nearly as well with almost any one layer gone; a plain network did not.",
  },

  ask.choice "length" {
    title   = "Which paths matter",
    teaches = { "additive-path" },
    given   = { f = "1", weighted = "shares(54, f)", unweighted = "shares(54, 1)" },
    text    = [[
Most of the 2^54 paths go through about 27 sublayers. If each passes on **f** times what it gets, a path through k of them carries f^k: with
f = 1, all the same.

Now f = 0.256. Through how many sublayers does most of the gradient come?
]],
    knobs   = { knob.linear "f" { 0.016, 1, at = 1, stops = 41 } },
    show    = view.column {
      view.table { head = { "of a path", "weighted by gradient" }, names = { "sublayers on average" }, { "27", "54 * f / (1 + f)" } },
      view.plot {
        over  = { "k", 0, 54, label = "sublayers on the path" },
        lines = { { "between(weighted, k)", label = "gradient" }, { "between(unweighted, k)", label = "paths" } },
      },
    },
    predict = { from = { f = 1 }, to = { f = 0.256 } },
    option "most" {
      "about 27, as most paths do",
      say = "There are most of them, but each carries only 0.256^27. Shorter ones are fewer and carry far more.",
    },
    option "none" {
      "0: the path past all sublayers",
      say = "No other single path carries more. But 54 go through one sublayer, 1431 through two, and all of these together carry much more.",
    },
    option "short"   { "about 11: by shorter paths than most", right = true },
    option "every" {
      "54: each layer has its part",
      say = "Only one path goes through all, and it carries 0.256^54.",
    },
    why     = "C(54, k), the number of paths through k of the 54, times 0.256^k is largest near k = 11; on average it is 54 × 0.256/1.256 = {54 * 0.256 / 1.256}. In the published network most came by paths through 5 to 17 of the 54.",
  },
}
