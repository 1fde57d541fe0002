-- What epsilon does to tokens whose variance is small, and where in the formula it stands.
return lesson "epsilon" {
  format   = 1,
  title    = "Epsilon and quiet tokens",
  about    = "The small number under the root: which tokens feel it, by how much, and what it prevents.",
  minutes  = 8,
  needs    = { "normalize" },
  goal     = [[
You will be able to say which tokens feel ε, and to work out by how much.

You will normalize a very *quiet* token, one whose numbers hardly differ, and a constant one by hand. And you will know what changes when
a program adds ε after the root.

You need to know how to normalize a token.
]],
  remember = [[
- ε stands under the root, beside the variance: `(x - mean) / sqrt(var + eps)`.
- The deviation afterwards is `sqrt(var / (var + eps))`: 1 while the variance is far above ε, 0.707 where they are equal, near 0 far below.
- Only quiet tokens feel it: those whose deviation is not much larger than sqrt(ε), 0.00316 for PyTorch's 1e-5.
- Without ε a constant token would be 0/0. With it, the result is 0.
- Some programs add ε after the root. Their results differ from PyTorch's on quiet tokens: those are hardly held back.
]],
  sources  = { "PyTorch documentation: torch.nn.LayerNorm", "Ba, Kiros, Hinton: Layer Normalization, 2016 (arXiv:1607.06450)" },

  define = {
    kept    = function(deviation, eps) return deviation / sqrt(deviation * deviation + eps) end, -- the deviation after
    apart   = function(deviation, eps) return deviation / (deviation + eps) end,                 -- ... with ε after the root
    centred = function(x) return x - x:mean() end,
  },

  ask.choice "whisper" {
    title   = "A token that fades",
    teaches = { "epsilon-small-variance" },
    text    = [[
The token [-1, 1] is multiplied by **s**. Stretching a token does not change what layer norm makes of it, so you would expect [-1, 1] for every s.

Now s goes down to 0.001. What comes out?
]],
    knobs   = { knob.log "s" { 1e-4, 1, at = 1, stops = 24 } },
    show    = view.column {
      view.table {
        head = { "token", "divided by", "normalized" },
        { "tensor { -1, 1 } * s", "sqrt(s * s + 1e-5)", "(nn.layer_norm(tensor { -1, 1 } * s))" },
      },
      view.tokens { "tensor { -1, 1 } * s", names = { "token" } },
    },
    predict = { from = { s = 1 }, to = { s = 0.001 } },
    option "same" {
      "still [-1, 1]",
      say = "It would be, without ε. The variance is now 0.000001; ε = 0.00001 is added to it and is ten times as large.",
    },
    option "input" {
      "[-0.001, 0.001], as it went in",
      say = "It is still divided by something small, the root of 0.000001 + 0.00001. That makes it much larger than it was.",
    },
    option "fades"   { "about [-0.3, 0.3]", right = true },
    option "bursts" {
      "huge numbers: the divisor is nearly 0",
      say = "The numbers get smaller together with the divisor, and ε keeps the divisor above 0.003.",
    },
    why     = "The divisor is sqrt(var + ε) = sqrt(0.000001 + 0.00001) = 0.003317, and 0.001 / 0.003317 = 0.3015.",
  },

  step "curve" {
    title   = "Where it begins",
    teaches = { "epsilon-small-variance", "formula" },
    text    = [[
Layer norm divides by `sqrt(var + ε)`. [-s, s] has variance s², so its deviation becomes `s/sqrt(s² + ε)`: 1 for a *loud* token, less
for a *quiet* one. Some programs add ε *after* the root: `s/(s + ε)`.

Turn **s**: where does each deviation begin to fall? Turn **ε**: where now?
]],
    knobs   = { knob.log "s" { 1e-6, 1, at = 1, stops = 24 }, knob.log "eps" { 1e-12, 1, at = 1e-5, stops = 48, label = "ε" } },
    show    = view.column {
      view.table {
        head  = { "", "", "s = √ε", "", "yours" },
        names = { "s", "deviation after", "ε after the root" },
        { "1", "0.01", "sqrt(eps)", "0.001", "s" },
        { "kept(1, eps)", "kept(0.01, eps)", "kept(sqrt(eps), eps)", "kept(0.001, eps)", "kept(s, eps)" },
        { "apart(1, eps)", "apart(0.01, eps)", "apart(sqrt(eps), eps)", "apart(0.001, eps)", "apart(s, eps)" },
      },
      view.plot {
        over  = { "d", 1e-6, 1, log = true, label = "s" },
        lines = { { "kept(d, eps)", label = "deviation after" } },
        marks = { { "s", label = "s" } },
      },
    },
  },

  ask.number "near" {
    title   = "As small as ε",
    teaches = { "epsilon-small-variance" },
    data    = function(random) return { k = random:pick { 1, 2, 3, 4, 8, 0.5, 0.25 }, eps = 1e-5 } end,
    given   = { d = "sqrt(k * eps)" },
    text    = "ε is {eps}. A token's variance is k × ε with k = {k}, so {k * eps}. What is its deviation after layer norm?",
    answer  = "kept(d, eps)",
    allow   = { "k", "eps" },
    mistake "no-eps" {
      by  = "1",
      say = "1 is what a loud token gets. The variance of this one is only {k} × ε, so ε takes its share.",
    },
    mistake "variance" { by = "k / (k + 1)", say = "{got} is the *variance* afterwards. Take its root." },
    mistake "alone" {
      by   = "sqrt(k)",
      when = "k ~= 1",
      say  = "You divided by sqrt(ε) alone. The divisor is sqrt(var + ε).",
    },
    mistake "before"   { by = "d", say = "{got} is the deviation *before* layer norm. Divide it by sqrt(var + ε)." },
    mistake "outside" {
      by  = "apart(d, eps)",
      say = "Your ε came after the root, which differs from PyTorch: there the variance gets ε first, and then the root is taken.",
    },
    hints   = {
      "Layer norm divides everything by sqrt(var + ε). What does that make of a deviation of sqrt(var)?",
      "With var = {k} × ε that is sqrt({k} × ε / ({k} × ε + ε)). ε can be cancelled.",
    },
    why     = "sqrt({k} / ({k} + 1)) = {answer}. It does not depend on ε itself, only on how many times ε the variance is.",
  },

  ask.number "half" {
    title   = "How quiet is quiet?",
    teaches = { "epsilon-small-variance" },
    data    = function(random)
      return { eps = random:pick { 1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-12 }, share = random:pick { 0.5, 0.8, 0.9 } }
    end,
    given   = { var = "eps * share / (1 - share)" },
    text    = "ε is {eps}. After layer norm a token's variance is {share} instead of 1. What was its *deviation* before?",
    answer  = "sqrt(var)",
    digits  = 3,
    allow   = { "eps" },
    mistake "variance"  { by = "var", say = "{got} was the variance before. Its root is asked." },
    mistake "deviation" {
      by  = "share * sqrt(eps / (1 - share * share))",
      say = "That makes the *deviation* afterwards {share}. The variance is its square.",
    },
    mistake "turned" {
      by   = "sqrt(eps * (1 - share) / share)",
      when = "share ~= 0.5",
      say  = "With that, ε takes {share} and leaves the rest. The variance should keep {share}.",
    },
    mistake "half" {
      by   = "sqrt(eps)",
      when = "share ~= 0.5",
      say  = "At that deviation half of the variance is left, 0.5. Here {share} of it should be left.",
    },
    hints   = {
      "The variance afterwards is var / (var + ε).",
      "var / (var + ε) = {share} means var = {share / (1 - share)} × ε. The deviation is its root.",
    },
    why     = "var / (var + ε) = {share} at var = {share / (1 - share)} × ε = {var}; its root is {answer}. Half is left where the deviation is sqrt(ε): {sqrt(1e-5)} for 1e-5.",
  },

  ask.tensor "flat" {
    title   = "Nothing to tell apart",
    data    = function(random) return { x = tensor.full({ 3 }, random:integer(3, 9)) } end,
    text    = "A token is {x}. What does layer norm, with ε = 1e-5, make of it?",
    show    = view.pipeline { "x" },
    hide    = { "centred", "squared", "var", "rstd", "normalized" },
    answer  = "(nn.layer_norm(x))",
    mistake "nan" {
      by  = "centred(x) / x:std()",
      say = "Without ε you would divide 0 by 0. With it you divide 0 by sqrt(ε), and that is a number.",
    },
    mistake "ones" {
      by  = "(nn.rms_norm(x, { eps = 0 }))",
      say = "You skipped the mean: RMSNorm, which does not subtract it, gives 1 for each.",
    },
    mistake "same" { by = "x", say = "Nothing was subtracted. Take the mean, {x:mean()}, away from each." },
    hints   = { "Take the mean of {x} away from each of its numbers. What remains?", "Three times 0, and the variance is 0 too. What is 0 / sqrt(0 + ε)?" },
    why     = "The divisor is sqrt(ε), small but not 0, and 0 divided by it is 0. Where a network adds a bias, a constant token comes out as that bias.",
  },

  step "three" {
    title   = "Loud, quiet, constant",
    teaches = { "epsilon-small-variance" },
    data    = function(random) return { x = tensor { { 1, 2, 3 }, { 0.001, 0.002, 0.004 }, { 5, 5, 5 } } } end,
    text    = [[
At ε = {eps} the quiet token {x[2]} gives {(nn.layer_norm(x[2], { eps = eps }))}.

Turn **ε** down until the quiet token has its full deviation. There, change a number of the constant token by 0.001 (Tab, then `e`): what comes
out of so small a difference? Then turn ε up until the loud token notices.
]],
    knobs   = { knob.log "eps" { 1e-12, 10, at = 1e-5, stops = 52, label = "ε" } },
    edit    = { "x" },
    cursor  = { token = 2 },
    show    = view.tokens { "x", names = { "loud", "quiet", "constant" }, eps = "eps" },
  },

  ask.tensor "row" {
    title   = "A quiet token by hand",
    teaches = { "epsilon-small-variance", "formula" },
    data    = function(random)
      local a = random:integer(1, 5)
      return { thousandths = tensor { a, a + random:integer(1, 3), a + random:integer(4, 8) }, eps = 1e-5 }
    end,
    given   = { x = "thousandths / 1000", c = "centred(thousandths) / 1000", var = "thousandths:var() / 1e6" },
    accept  = "abs(c[2]) > 2e-4",
    text    = "Normalize {x} with ε = {eps}.",
    show    = view.pipeline { "x", eps = "eps" },
    hide    = { "centred", "squared", "var", "rstd", "normalized" },
    answer  = "c / sqrt(var + eps)",
    allow   = { "eps" },
    mistake "no-eps" {
      by  = "c / sqrt(var)",
      say = "That is the result without ε. Beside a variance of {var}, an ε of {eps} counts.",
    },
    mistake "outside" {
      by  = "c / (sqrt(var) + eps)",
      say = "Your ε came after the root, which differs from PyTorch: there the variance gets ε first, and then the root is taken.",
    },
    mistake "unbiased" {
      by  = "c / sqrt(x:var(nil, { unbiased = true }) + eps)",
      say = "Your variance is the unbiased one, by n - 1 = {#x - 1}. Layer norm takes the mean of all {#x} squares.",
    },
    mistake "uncentred" {
      by  = "x / sqrt(var + eps)",
      say = "You divided the numbers themselves. Subtract the mean, {x:mean()}, first.",
    },
    mistake "no-root"  { by = "c / (var + eps)", say = "The root is missing: you divided by var + ε itself." },
    mistake "sign" {
      by  = "-c / sqrt(var + eps)",
      say = "All your signs are reversed. Subtract the mean from each number, not each number from the mean.",
    },
    mistake "rms" {
      by  = "(nn.rms_norm(x, { eps = eps }))",
      say = "You skipped the mean. To divide by the root of the mean square alone is RMSNorm.",
    },
    hints   = {
      "Mean first: it is {x:mean()}. Then the distances and the mean of their squares.",
      "The distances are {c}, the variance is {var}.",
      "Divide each distance by sqrt({var} + {eps}).",
    },
    why     = "The divisor is sqrt({var} + {eps}) = {sqrt(var + eps)}. The deviation afterwards is {kept(sqrt(var), eps)|3}; without ε it would be 1.",
  },
}
