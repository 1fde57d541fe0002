-- Over which axis layer norm averages: the features of one token, whatever stands beside it.
local norms = use "norms"

-- The same tokens with the first two axes exchanged.
local function tokens_first(x)
  local tokens = {}
  for t = 1, x.shape[2] do
    local samples = {}
    for s = 1, x.shape[1] do
      samples[s] = x[s][t]
    end
    tokens[t] = tensor.stack(samples)
  end
  return tensor(tensor.stack(tokens), { "token", "batch", "feature" })
end

-- The sizes of a batch.
local function sizes(random)
  local batch, token, feature = random:integer(2, 5), random:integer(3, 7), random:pick { 4, 6, 8, 12, 16 }
  return { shape = tensor.zeros({ batch, token, feature }).shape, B = batch, T = token, F = feature }
end

return lesson "axis" {
  format   = 1,
  title    = "Which axis?",
  about    = "Batches of tokens: which numbers share a mean, how many means there are, and what shape they have.",
  minutes  = 9,
  needs    = { "normalize" },
  goal     = [[
You will be able to say which numbers of a batch go into one mean, how many means layer norm takes, and what shape they have.

You will also be able to tell layer norm from batch norm by what is left of the data, and to read in a program over which axes it
averages.

You need to know how to normalize one token.
]],
  remember = [[
- Layer norm averages over the **features of one token**: not over the batch, not over other tokens.
- x of shape (B, T, F) has B × T means, of shape (B, T, 1) so that `x - mean` works.
- Scale and bias are one number each for a feature: 2 × F, shared by all tokens.
- The order of batch and tokens does not matter while features come last.
- PyTorch's `LayerNorm(s)` averages over as many of the *last* axes as s has sizes: so its documentation says. Look such
  things up there, and report what you find wrong here.
]],
  sources  = {
    "PyTorch documentation: torch.nn.LayerNorm", "Ba, Kiros, Hinton: Layer Normalization, 2016 (arXiv:1607.06450)",
    "Ioffe, Szegedy: Batch Normalization, 2015 (arXiv:1502.03167)",
  },

  define = {
    axes_of      = norms.axes_of,
    tokens_first = tokens_first,
    normalized   = function(over, x) return over == "none" and x or norms.normalized(over, x) end,
  },

  step "three-axes" {
    title   = "Batch, token, feature",
    teaches = { "per-token" },
    data    = function(random) return { x = random:integers { 2, 3, 4, from = 1, to = 9 } } end,
    text    = [[
x holds 2 *samples*, the batch, of 3 *tokens* with 4 *features* each: its shape is {x.shape}.

A mean *over* some axes runs along these and takes in every number there. Lit up: what goes into one mean with the number you are at.

Turn the knob **over** and move around. Which setting keeps every token to itself?
]],
    knobs   = {
      knob.pick "over" {
        "all", "token-feature", "batch-token", "batch", "token", "feature",
        names = { ["token-feature"] = "token, feature", ["batch-token"] = "batch, token" },
      },
    },
    show    = view.axes { "x", over = "axes_of(over)" },
  },

  ask.number "count" {
    title   = "How many means?",
    teaches = { "per-token" },
    data    = sizes,
    text    = "Layer norm takes a mean for each token, from its own features.\n\nx has the shape (B, T, F) = {shape}. How many means does layer norm take?",
    answer  = "B * T",
    allow   = { "B", "T", "F" },
    mistake "batch-token" {
      by  = "F",
      say = "{F} is one mean for each feature, over batch and tokens. That is what *batch norm* does, another norm. Layer norm has one for each token.",
    },
    mistake "batch"       { by = "T * F", say = "{got} is what a mean over the batch alone gives. Layer norm never leaves its sample." },
    mistake "token"       { by = "B * F", say = "{got} is what a mean over the tokens alone gives. Layer norm never leaves its token." },
    mistake "samples"     { by = "B", say = "{B} is one for each sample, over tokens and features together. Each of its {T} tokens has its own." },
    mistake "positions"   { by = "T", say = "{T} is one for each position, with the samples mixed. Each sample has {T} tokens of its own." },
    mistake "one"         { by = "1", say = "One mean over everything would mix all tokens of all samples." },
    mistake "every"       { by = "B * T * F", say = "{got} numbers are in x. The {F} features of a token share one mean." },
    hints   = { "How many tokens are there, in all samples together?", "{B} samples with {T} tokens each." },
    why     = "One for each token, and there are {B} × {T} = {answer} of them. Each is the mean of {F} numbers.",
  },

  ask.shape "kept" {
    title   = "Their shape",
    teaches = { "per-token" },
    data    = sizes,
    accept  = "T ~= F",
    text    = [[
So that `x - mean` works, programs *keep* the averaged axis, at size 1. PyTorch calls that `keepdim=True`.

x has the shape {shape}. What is the shape of layer norm's means, kept so?
]],
    answer  = "{ B, T, 1 }",
    mistake "dropped" {
      by  = "{ B, T }",
      say = "That is without the kept axis. `x - mean` lines shapes up from the right, {T} against {F}: an error here. With as many tokens as features it may pass, and be wrong.",
    },
    mistake "feature"     { by = "{ F }", say = "One for each feature is a mean over batch and tokens: that is batch norm." },
    mistake "batch-token" { by = "{ 1, 1, F }", say = "Size 1 is where the mean ran. Yours ran over batch and tokens: that is batch norm." },
    mistake "batch"       { by = "{ 1, T, F }", say = "Size 1 is where the mean ran. Yours ran over the batch." },
    mistake "token"       { by = "{ B, 1, F }", say = "Size 1 is where the mean ran. Yours ran over the tokens." },
    mistake "samples"     { by = "{ B, 1, 1 }", say = "That is one mean for a whole sample, over tokens and features. Each token has its own." },
    mistake "one"         { by = "{ 1, 1, 1 }", say = "That is a single mean of everything." },
    mistake "same"        { by = "{ B, T, F }", say = "That is x itself. The mean runs along one axis, and there is one number left there." },
    hints   = { "Which axis does the mean run along? That one gets size 1.", "Over the features: the last axis. The others keep their sizes." },
    why     = "Batch and tokens keep their sizes, features become 1. Subtracted from x, each mean serves all {F} features of its token. The first step's x, (2, 3, 4), has means of the shape {tensor.zeros({ 2, 3, 4 }):mean('feature').shape}.",
  },

  ask.choice "stripes" {
    title   = "A row and a column stick out",
    teaches = { "per-token" },
    data    = function(random)
      local sample, token, feature = random:integer(1, 2), random:integer(1, 3), random:integer(1, 4)
      local x = random:normal { 2, 3, 4, places = 1 }
      x = x + tensor.zeros({ 2, 3, 1 }):with({ sample, token, 1 }, 6) + tensor.zeros({ 4 }):with({ feature }, 6)
      return { x = x, sample = sample, token = token, feature = feature }
    end,
    text    = [[
Token {token} of sample {sample} is raised by 6, a row; so is feature {feature} of every token, a column. What does layer norm leave of the two?
]],
    knobs   = {
      knob.pick "over" {
        "none", "feature", "batch-token", label = "norm", names = { feature = "layer norm", ["batch-token"] = "batch norm" },
      },
    },
    show    = view.heat { "normalized(over, x)" },
    predict = { from = { over = "none" }, to = { over = "feature" } },
    option "row"    { "the column stays, the row goes", right = true },
    option "column" {
      "the row stays, the column goes",
      say = "That needs a mean for each feature, over batch and tokens: batch norm. Layer norm has a mean for each token.",
    },
    option "both" {
      "both go",
      say = "The column's 6 is in one feature of four. The mean takes a quarter of it; the rest still sticks out.",
    },
    why     = "What all features of a token share is in its mean, and goes. How features differ stays. Turn **norm** to batch norm, a mean over batch and tokens: it is the other way round.",
  },

  ask.choice "layout" {
    title   = "Tokens first",
    teaches = { "per-token" },
    data    = function(random) return { x = random:normal { 2, 3, 4, std = 3, places = 1 } } end,
    given   = { turned = "tokens_first(x)" },
    text    = [[
Some programs keep the tokens first: x has the shape (T, B, F), not (B, T, F). It holds the same tokens, in another order.

Do they need another layer norm?
]],
    show    = view.compare {
      "(nn.layer_norm(x))[2][3]", "(nn.layer_norm(turned))[3][2]", names = { "(B, T, F): sample 2, token 3", "(T, B, F): token 3, sample 2" },
    },
    predict = true,
    option "no"     { "no, it is the same", right = true },
    option "axis" {
      "yes, it must average over another axis",
      say = "Features are the last axis in both. A token takes its features with it, wherever it stands.",
    },
    option "batch" {
      "yes, samples and tokens would be mixed up",
      say = "They would, if the mean ran over the first or the second axis. Layer norm's never does.",
    },
    why     = "Its statistics never leave the last axis, so the order of the others makes no difference. (B, F, T) would: there the features do not come last.",
  },

  ask.choice "documentation" {
    title   = "Look it up",
    teaches = { "sources", "per-token" },
    data    = function(random) return { x = random:integers { 2, 3, 4, from = 1, to = 9 } } end,
    text    = [[
PyTorch documents: `LayerNorm(s)` averages over as many of the *last* axes as s has sizes. x is {x.shape}. Over what does `LayerNorm(x.shape[1:])` average?
]],
    knobs   = {
      knob.pick "over" {
        "feature", "token-feature", "all", label = "s",
        names = { feature = "x.shape[-1:]", ["token-feature"] = "x.shape[1:]", all = "x.shape" },
      },
    },
    show    = view.axes { "x", over = "axes_of(over)" },
    predict = { from = { over = "feature" }, to = { over = "token-feature" } },
    option "feature" {
      "the features of each token",
      say = "`x.shape[1:]` is (3, 4). These are two sizes, so it is the last two axes.",
    },
    option "both"    { "tokens and features of each sample", right = true },
    option "token" {
      "the tokens of each sample",
      say = "`x.shape[1:]` is (3, 4): the features' axis is in it as well.",
    },
    why     = "One mean for a whole sample: every token then depends on later ones. Public programs have had this line where `x.shape[-1:]` was meant.",
  },

  ask.number "parameters" {
    title   = "What it learns",
    teaches = { "scale-and-bias", "sources" },
    data    = sizes,
    text    = [[
After normalizing, layer norm multiplies by a *scale* and adds a *bias*. It learns both, for each feature; all tokens share them.

x has the shape (B, T, F) = {shape}. How many numbers does layer norm learn?
]],
    answer  = "2 * F",
    allow   = { "B", "T", "F" },
    mistake "one"        { by = "F", say = "{F} is the scale alone. There are as many for the bias." },
    mistake "tokens"     { by = "2 * T * F", say = "That is a scale and a bias for each place in a sample, as `LayerNorm(({T}, {F}))` has them. Tokens share theirs." },
    mistake "every"      { by = "2 * B * T * F", say = "That is a scale and a bias for every number of x. Samples and tokens share theirs." },
    mistake "statistics" { by = "2 * B * T", say = "That is a mean and a variance for each token. They are computed from x each time, not learned." },
    mistake "two"        { by = "2", say = "One scale and one bias for all would be 2. Each feature has its own." },
    hints   = { "One scale and one bias for each feature.", "There are {F} features." },
    why     = "{F} for the scale, {F} for the bias: {answer}, however many tokens there are. x of shape (2, 3, 4) needs {2 * 4}.",
  },
}
