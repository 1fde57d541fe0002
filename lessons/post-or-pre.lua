-- The order of norm and addition in a residual block: both by hand, and what each does to the skip.

-- Distances from the mean whose deviation is whole: 3, 3, 6, 12 and 5.
local distances = { { -3, -1, -1, 5 }, { -5, 1, 1, 3 }, { -6, -2, -2, 10 }, { -12, -4, -4, 20 }, { -7, -1, 1, 7 } }

-- Four whole numbers from 1 on, in any order, with a whole deviation.
local function by_hand(random)
  local row = tensor(random:shuffle(random:pick(distances)))
  return row - row:min() + 1
end

-- Sums and differences of neighbours: a sublayer for a hand.
local function F(h)
  return tensor { h[1] + h[2], h[1] - h[2], h[3] + h[4], h[3] - h[4] }
end

-- The x whose x + F(x) is this sum.
local function before(sum)
  return tensor { sum[2], sum[1] - 2 * sum[2], sum[4], sum[3] - 2 * sum[4] }
end

local function norm(x)
  return (nn.layer_norm(x))
end

local function block(x, order, sublayer)
  return nn.block(x, { order = order, sublayers = { sublayer } })
end

-- A token through some blocks that have the same weights.
local function through(x, order, w, depth)
  for _ = 1, depth do
    x = block(x, order, function(h) return nn.linear(h, w) end)
  end
  return x
end

-- What the skip alone brings back to x, of a gradient at the block's output.
local function back(x, order, gradient)
  local y = block(x, order, function(h) return h * 0 end)
  return grad((y * gradient):sum("all"), x)
end

local orders = { post = "post-norm", pre = "pre-norm" }

return lesson "post-or-pre" {
  format   = 1,
  title    = "Post-norm or pre-norm",
  about    = "The norm after the addition, or before the sublayer: both by hand, and what becomes of the skip.",
  minutes  = 10,
  needs    = { "normalize", "residual" },
  goal     = [[
A block has a norm and a skip. You will be able to work out by hand what it returns in each of the two usual orders, to tell from a line
of a program which order it has, and to say what the order does, on the skip, to a token and to a gradient.

You need to know how to normalize a token, and what `x + sublayer(x)` does.
]],
  remember = [[
- Post-norm, `LayerNorm(x + Sublayer(x))`: what comes out is normalized, the skip's part with it. The blocks of the Transformer paper (2017) are post-norm.
- Pre-norm, `x + Sublayer(LayerNorm(x))`: only what the sublayer reads is normalized. Many later models are pre-norm.
- The skip alone: pre-norm leaves x as it is, and the gradient on its way back. Post-norm divides both by a deviation in every block.
- What a sublayer adds to all features alike, post-norm takes away at once. Pre-norm keeps it in the stream.
- The same weights in the other order compute something else.
]],
  sources  = {
    "Vaswani et al.: Attention Is All You Need, 2017 (arXiv:1706.03762), section 3.1",
    "Xiong et al.: On Layer Normalization in the Transformer Architecture, 2020 (arXiv:2002.04745)",
    "PyTorch documentation: torch.nn.TransformerEncoderLayer", "OLMo 2, 2024 (arXiv:2501.00656)",
  },

  define   = { F = F, norm = norm, block = block, through = through, back = back, constant = function(c) return function(h) return h * 0 + c end end },

  step "two-orders" {
    title   = "Two places for one norm",
    teaches = { "post-norm-original" },
    data    = function(random) return { x = tensor { 1, 7, 9, 15 } } end,
    text    = [[
- post-norm: `x_next = LayerNorm(x + F(x))`
- pre-norm: `x_next = x + F(LayerNorm(x))`

The Transformer paper (2017) has post-norm, many later models have pre-norm.

In place of a real sublayer, F(h) = (h1 + h2, h1 - h2, h3 + h4, h3 - h4). Make x **louder**, up to ten times: in which order does the result
stay as it is, and in which does F's part?
]],
    knobs   = { knob.pick "order" { "post", "pre", names = orders }, knob.int "times" { 1, 10, label = "louder" } },
    show    = view.block { "x * times", sublayer = "F", order = "order" },
  },

  ask.tensor "post" {
    title   = "Post-norm by hand",
    teaches = { "post-norm-original" },
    data    = function(random) return { x = before(by_hand(random)) } end,
    accept  = "max(abs(x)) <= 15",
    given   = { sum = "x + F(x)" },
    text    = "x = {x} and F(h) = (h1 + h2, h1 - h2, h3 + h4, h3 - h4). What does the **post-norm** block return, `LayerNorm(x + F(x))`?",
    show    = view.block { "x", sublayer = "F", order = "post" },
    hide    = { "F(x)", "x + F(x)", "LN(x + F(x))" },
    answer  = "norm(sum)",
    places  = 2,
    mistake "pre" {
      by  = "x + F(norm(x))",
      say = "That is pre-norm. Here the norm stands outside: F reads x itself, x is added, and the sum is normalized.",
    },
    mistake "no-skip" {
      by  = "norm(F(x))",
      say = "You normalized F(x) = {F(x)}. The skip is missing: add x first.",
    },
    mistake "no-norm" { by = "sum", say = "x + F(x) is right, {sum}. Now normalize it." },
    mistake "sublayer" { by = "F(x)", say = "That is F(x) alone. Add x, then normalize." },
    mistake "output" {
      by  = "x + norm(F(x))",
      say = "You normalized F(x) and added x. In post-norm the addition comes first, and the norm covers the sum.",
    },
    mistake "both" {
      by  = "norm(x) + norm(F(x))",
      say = "You normalized x and F(x) each for itself. Add them first: there is one norm, of the sum.",
    },
    mistake "read" {
      by  = "norm(x + F(norm(x)))",
      say = "Your F read LayerNorm(x). In post-norm it reads x itself; the one norm comes at the end.",
    },
    mistake "centred" { by = "sum - sum:mean()", say = "The mean of x + F(x) is taken away. Divide by the deviation, {sum:std()}, too." },
    mistake "variance" { by = "(sum - sum:mean()) / sum:var()", say = "You divided by the variance, {sum:var()}. Take its root." },
    mistake "unbiased" {
      by  = "(sum - sum:mean()) / sum:std(nil, { unbiased = true })",
      say = "Your variance is the unbiased one, by n - 1 = 3. Layer norm takes the mean of all 4 squares.",
    },
    hints   = {
      "Work from the inside out: F(x) first, then add x, then normalize.",
      "x + F(x) = {sum}. What is its mean, and what its deviation?",
      "The mean is {sum:mean()}, the deviation {sum:std()}.",
    },
    why     = "x + F(x) = {sum} has the mean {sum:mean()} and the deviation {sum:std()}: normalized, {answer|2}. Nothing goes past that norm, not even x.",
  },

  ask.tensor "pre" {
    title   = "Pre-norm by hand",
    teaches = { "post-norm-original" },
    data    = function(random) return { x = by_hand(random) } end,
    given   = { n = "norm(x)" },
    text    = "x = {x} and F(h) = (h1 + h2, h1 - h2, h3 + h4, h3 - h4). What does the **pre-norm** block return, `x + F(LayerNorm(x))`?",
    show    = view.block { "x", sublayer = "F", order = "pre" },
    hide    = { "LN(x)", "F(LN(x))", "x + F(LN(x))" },
    answer  = "x + F(n)",
    places  = 2,
    mistake "post" { by = "norm(x + F(x))", say = "That is post-norm. Here the norm is only for F: it reads LayerNorm(x), and x is added afterwards." },
    mistake "skip-normed" {
      by  = "n + F(n)",
      say = "You added LayerNorm(x). The skip carries x itself, {x}, past the norm and past F.",
    },
    mistake "output-norm" {
      by  = "x + norm(F(x))",
      say = "You normalized what F *returns*. Pre-norm normalizes what F *reads*. (There are models that do as you did, OLMo 2 for one.)",
    },
    mistake "no-skip" { by = "F(n)", say = "That is the update, F(LayerNorm(x)). Add x to it." },
    mistake "no-norm" { by = "x + F(x)", say = "Your F read x itself. Normalize x for it first." },
    mistake "no-sublayer" { by = "x + n", say = "You added LayerNorm(x) to x. F comes between the two." },
    mistake "norm" { by = "n", say = "That is LayerNorm(x). Let F read it, then add x." },
    mistake "sandwich" { by = "x + norm(F(n))", say = "You normalized twice, before F and after it. Pre-norm does it before F only." },
    mistake "after" { by = "norm(x + F(n))", say = "You normalized the sum as well. In pre-norm the sum stays as it is." },
    mistake "variance" {
      by  = "x + F((x - x:mean()) / x:var())",
      say = "Your F read x divided by its variance, {x:var()}. The norm divides by the deviation, {x:std()}.",
    },
    mistake "unbiased" {
      by  = "x + F((x - x:mean()) / x:std(nil, { unbiased = true }))",
      say = "Your variance is the unbiased one, by n - 1 = 3. Layer norm takes the mean of all 4 squares.",
    },
    hints   = {
      "Start with LayerNorm(x). The mean of x is {x:mean()}, its deviation {x:std()}.",
      "LayerNorm(x) = {n|2}. Let F read that.",
      "F returns {F(n)|2}. What does the skip add?",
    },
    why     = "LayerNorm(x) = {n|2}, F makes {F(n)|2} of that, and x is added: {answer|2}. The skip has gone around the norm.",
  },

  ask.choice "constant" {
    title   = "The same for all features",
    teaches = { "order-changes-paths" },
    data    = function(random) return { x = by_hand(random), c = 0 } end,
    text    = [[
Now F returns the same number **c** for all features, whatever it reads. The table shows what both blocks make of x = {x} while c is 0.

c becomes 10. Which result changes?
]],
    knobs   = { knob.int "c" { 0, 10 } },
    show    = view.table {
      names = { "x", "F", "post-norm", "pre-norm" },
      { "x" }, { "constant(c)(x)" }, { "block(x, 'post', constant(c))" }, { "block(x, 'pre', constant(c))" },
    },
    predict = { from = { c = 0 }, to = { c = 10 } },
    option "both" {
      "both",
      say = "In post-norm c is added and then the mean is taken away, which has grown by c. Nothing of it is left.",
    },
    option "post" {
      "only the post-norm one",
      say = "The other way round: post-norm subtracts the mean of the sum, and c with it. In pre-norm no norm comes after the addition.",
    },
    option "pre" { "only the pre-norm one", right = true },
    option "neither" {
      "neither: a norm takes c away",
      say = "In pre-norm the norm stands *before* F. Nothing takes away what F adds afterwards.",
    },
    why     = "Post-norm: LayerNorm(x + 10) is LayerNorm(x), so c is erased. Pre-norm: x + 10 = {x + 10}, which stays in the stream for the blocks that follow.",
  },

  step "same-weights" {
    title   = "Same weights, other order",
    teaches = { "order-changes-paths", "weights-not-portable" },
    data    = function(random) return { x = norm(random:normal { 4 }), w = random:normal { 4, 4, std = 0.5 } } end,
    text    = [[
Now F multiplies by a 4 x 4 matrix of weights, drawn with deviation 0.5 around 0, times the knob **gain**. Both orders use this matrix,
and begin with the same normalized x.

Turn **gain** down. Where do the two agree, but for ε, and why there? Then turn it up, and **blocks** with it: which result grows?
]],
    knobs   = { knob.linear "gain" { 0, 2, at = 1, stops = 20 }, knob.int "blocks" { 1, 12 } },
    show    = view.compare { "through(x, 'post', w * gain, blocks)", "through(x, 'pre', w * gain, blocks)", names = { "post-norm", "pre-norm" } },
  },

  ask.choice "gradient" {
    title   = "Back on the skip",
    teaches = { "order-changes-paths" },
    data    = function(random) return { x = by_hand(random), g = tensor { 1, 0, 0, 0 } } end,
    text    = [[
Take the sublayer out, F(h) = 0: only the skip is left. x is {x}. The loss is the first feature of the block's output, so its gradient there,
how it changes with each feature, is {g}.

What gradient reaches x?
]],
    knobs   = { knob.int "times" { 1, 10, label = "louder" } },
    show    = view.table {
      names = { "x", "gradient at output", "at x, post-norm", "at x, pre-norm" },
      { "x * times" }, { "g" }, { "back(x * times, 'post', g)" }, { "back(x * times, 'pre', g)" },
    },
    predict = true,
    option "same" {
      "{g}, in both orders",
      say = "In post-norm the skip ends in the norm. All features have a part in its mean and deviation, so the gradient before it is another one.",
    },
    option "post" {
      "{g} in post-norm, another one in pre-norm",
      say = "The other way round: it is in pre-norm that the skip meets no norm.",
    },
    option "pre" { "{g} in pre-norm, another one in post-norm", right = true },
    option "neither" {
      "another one in both orders",
      say = "In pre-norm the norm is on the branch, and the branch is out. x comes out as it went in, so its gradient does too.",
    },
    why     = [[
Pre-norm: x_next = x, so the gradient comes back as it was. Post-norm: the norm divides it by the deviation {x:std()} and takes a part of it
away: {back(x, 'post', g)}. Make x **louder**: what becomes of it? (This is the skip alone. A sublayer adds paths of its own.)
]],
  },

  ask.number "share" {
    title   = "What is left of x",
    teaches = { "order-changes-paths" },
    data    = function(random) return { n = random:integer(3, 9), d = random:pick { 1.25, 1.5, 2, 1.2 } } end,
    text    = [[
A token x goes through n = {n} post-norm blocks. In each of them the sum that is normalized has the deviation d = {d}.

By what factor has x's own part in the stream been multiplied after all of them? Leave the means and ε aside.
]],
    show    = view.plot {
      over  = { "blocks", 0, 12 },
      lines = { { "d ^ -blocks", label = "post-norm" }, { "1", label = "pre-norm" } },
      marks = { { "n", label = "n" } },
    },
    hide    = { "post-norm" },
    answer  = "d ^ -n",
    digits  = 3,
    allow   = { "n", "d" },
    mistake "pre" { by = "1", say = "That is pre-norm, where nothing divides the stream. A post-norm block divides the sum, and x with it." },
    mistake "one" { by = "1 / d", say = "That is one block. There are {n}, and each divides by {d}." },
    mistake "times" { by = "1 / (n * d)", say = "You multiplied {n} by {d}. To divide {n} times by {d} is to divide by {d}^{n}." },
    mistake "grown" { by = "d ^ n", say = "You multiplied by {d} each time. A norm *divides* by the deviation." },
    mistake "variance" { by = "d ^ (-n / 2)", say = "You took {d} for the variance. It is the deviation already, no root is to be taken." },
    mistake "rest" {
      by   = "1 - d ^ -n",
      say  = "That is what x has lost. What is left of it?",
    },
    hints   = { "One block divides by {d}. What do two blocks do?", "Two blocks leave 1/{d}² = {d ^ -2} of it." },
    why     = "1/{d}^{n} = {answer}. An early update fades in the same way: each later block divides it. In pre-norm nothing is divided, so the stream grows, and many such models have a final norm.",
  },

  ask.choice "paper" {
    title   = "Reading a program",
    teaches = { "post-norm-original" },
    text    = [[
A program has this line, in Python:

    return self.norm(x + self.dropout(self.attention(x)))

Which order is that? And is it the order of the Transformer paper (2017)?
]],
    option "post-2017" { "post-norm, the paper's order", right = true },
    option "pre-2017" {
      "pre-norm, the paper's order",
      say = "Read from the inside: attention reads x itself, x is added, and the norm covers the sum. So the norm comes after.",
    },
    option "post-later" {
      "post-norm, not the paper's order",
      say = "Post-norm it is. But the paper has it: LayerNorm(x + Sublayer(x)). Pre-norm came later.",
    },
    option "pre-later" {
      "pre-norm, not the paper's order",
      say = "The paper does not have pre-norm. But pre-norm would be `x + self.dropout(self.attention(self.norm(x)))`.",
    },
    why     = "LayerNorm(x + Sublayer(x)) is the block of \"Attention Is All You Need\". Its authors' own program soon took pre-norm as its default. PyTorch's TransformerEncoderLayer has both: post-norm, unless `norm_first=True` is given.",
  },
}
