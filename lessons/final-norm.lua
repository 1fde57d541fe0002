-- What accumulates in a pre-norm stack, what its final norm is for, and why weights belong to the order they were trained in.
local stacks = use "stacks"

local DEPTH, WIDTH = 48, 36
local LOGITS = 64

local function norm(x)
  return (nn.layer_norm(x))
end

local function run(net, depth, order, final, off)
  return nn.stack(net.x, { depth = depth, order = order, final_norm = final, off = off, sublayer = stacks.sublayer(net) })
end

-- The stream of a trace, its beginning first.
local function rows_of(trace)
  local rows = { trace.x }
  for layer, at in ipairs(trace.layers) do
    rows[layer + 1] = at.stream
  end
  return rows
end

-- How alike the two orders' outputs are, by depth; the pre-norm one ends with a final norm.
local function likenesses(pre, post)
  local all = {}
  for i = 1, #post do
    all[i] = stacks.likeness(norm(pre[i]), norm(post[i]))
  end
  return all
end

return lesson "final-norm" {
  format   = 1,
  title    = "The final norm",
  about    = "What accumulates in a pre-norm stack, what its final norm is for, and why weights do not move between orders.",
  minutes  = 10,
  needs    = { "residual", "post-or-pre" },
  goal     = [[
You will be able to work out how large the stream of a pre-norm stack gets, how small a late layer's update is beside it, and what a
final norm changes.

You will also measure what happens to a model whose weights are copied into a block of the other order.

You need both orders: post-norm, norm(x + F(x)), and pre-norm, x + F(norm(x)).
]],
  remember = [[
- A pre-norm layer norms what F *reads*, not the stream: each layer adds its variance to it. 12 layers that add 0.5 leave 7.
- A *final norm* after the last layer brings the stream back to variance 1, whatever the depth, before logits are made of it.
- Each update is smaller beside the stream than the one before: late layers are diluted.
- Many later models are pre-norm because a deep stack then trains steadily from the start, often without a warm-up (a learning rate
  that begins small).
- The same weights in the other order are another function, although they load without an error.
]],
  sources  = {
    "Xiong et al.: On Layer Normalization in the Transformer Architecture, 2020 (arXiv:2002.04745)",
    "Vaswani et al.: Attention Is All You Need, 2017 (arXiv:1706.03762)", "Radford et al.: Language Models are Unsupervised Multitask Learners, 2019 (GPT-2)",
  },

  data     = function(random)
    return { net = stacks.net(random, DEPTH, WIDTH), unembed = stacks.weights(random, LOGITS, WIDTH)[1] }
  end,
  given    = {
    pre    = "rows_of(run(net, 48, 'pre'))",
    grown  = "variances(pre)",
    alike  = "likenesses(pre, rows_of(run(net, 24, 'post')))",
    spread = "{ [6] = logits(unembed, pre, 6):std(), [48] = logits(unembed, pre, 48):std() }",
  },
  accept   = "grown[49] > 16 and grown[49] < 40 and alike[7] > 0.75 and alike[25] < 0.65 and alike[25] > 0.05 and alike[13] > alike[25] + 0.05 and spread[6] < 2.8 and spread[48] > 4.3 and spread[48] < 5.7",
  define   = {
    run = run, rows_of = rows_of, likenesses = likenesses, variances = stacks.variances, between = stacks.between,
    after  = function(list, layer) return list[layer + 1] end,
    along  = function(trace, what)
      local all = {}
      for i, layer in ipairs { 1, 6, 12, 24, 48 } do
        all[i] = trace.layers[layer][what]
      end
      return tensor(all)
    end,
    norm_variance = function(rows, layer) return norm(rows[layer + 1]):var() end,
    logits = function(unembed, rows, depth, final) return nn.linear(final and norm(rows[depth + 1]) or rows[depth + 1], unembed) end,
  },

  ask.choice "grows" {
    title   = "Deeper, in pre-norm",
    teaches = { "pre-norm-final" },
    given   = { depth = "6" },
    text    = [[
A pre-norm stack: each layer is x + F(norm(x)), where F is a feed-forward network with 36 features, ReLU, and random normal weights of
variance 1/inputs. x has variance 1; after 6 layers the stream's is {after(grown, 6)}.

What is it after 48?
]],
    knobs   = { knob.int "depth" { 1, 48 } },
    show    = view.column {
      view.table { head = { "after layer", "stream's variance", "variance of norm(x)" }, { "depth", "after(grown, depth)", "norm_variance(pre, depth)" } },
      view.plot { over = { "layer", 0, "depth" }, lines = { { "between(grown, layer)", label = "stream" } } },
    },
    predict = { from = { depth = 6 }, to = { depth = 48 } },
    option "same" {
      "about the same: there is a norm in every layer",
      say = "That norm stands on the branch: F reads norm(x). The stream itself goes past it, and only gets added to.",
    },
    option "linear"     { "between 16 and 40: each layer adds about as much", right = true },
    option "million" {
      "many millions: each layer multiplies",
      say = "It would, if F read x. But F reads norm(x), which always has variance 1, so its answers do not grow with the stream.",
    },
    why     = "{after(grown, 48)}. F always reads a row of variance 1 and answers with a variance of about 0.5. Each layer adds about that, so 1 + 48 × 0.5 = 25 is what to expect. Turn **depth**.",
  },

  ask.number "variance" {
    title   = "The stream's variance",
    teaches = { "pre-norm-final" },
    data    = function(random) return { n = random:pick { 6, 10, 12, 16, 20, 24, 36 }, u = random:pick { 0.25, 0.5, 0.75, 1.5, 2 } } end,
    text    = [[
A row of variance 1 goes into {n} pre-norm layers. Each adds an update of variance {u} that has nothing to do with the stream, so the variances
add up.

What is the variance of the stream after all {n}?
]],
    answer  = "1 + n * u",
    allow   = { "n", "u" },
    mistake "multiplied" {
      by  = "(1 + u) ^ n",
      say = "You multiplied. Without any norm that would be right; here F reads norm(x), so each layer adds the same {u}.",
    },
    mistake "one"       { by = "1", say = "1 is what a *post-norm* stack keeps: there the sum itself is normed." },
    mistake "updates"   { by = "n * u", say = "Those are the {n} updates. The row that went in is still in the stream, with its variance of 1." },
    mistake "less"      { by = "1 + (n - 1) * u", say = "You counted {n - 1} layers. The first one adds its update as well." },
    mistake "each"      { by = "n * (1 + u)", say = "You counted the variance of the row that went in {n} times. It went in once." },
    mistake "deviation" { by = "sqrt(1 + n * u)", say = "That is the deviation. The variance is its square." },
    mistake "deviations" { by = "(1 + n * sqrt(u)) ^ 2", say = "You added the deviations. Of rows that have nothing to do with each other, the *variances* add up." },
    hints   = { "After the first layer: 1 + {u}.", "Each layer adds {u} once more, {n} times in all." },
    why     = "1 + {n} × {u} = {answer}. With random feed-forward layers, which add 0.5, it is {1 + 12 * 0.5} after 12 layers. A final norm makes 1 of it.",
  },

  step "stack" {
    title   = "Along the stream",
    teaches = { "pre-norm-final" },
    text    = [[
The same weights, 48 layers. **update** is the update's length divided by the stream's. A **length** of 6 is variance 1.

Turn **order**: in which does the share of the updates fall? Turn **final norm** on, in pre: what changes, and where?
]],
    knobs   = { knob.pick "order" { "pre", "post" }, knob.switch "final" { label = "final norm" } },
    show    = view.column {
      view.stack { "run(net, 48, order, final, off)" },
      view.table {
        head  = { "in layer 1, 6, 12, 24, 48", "at the end" },
        names = { "update", "variance" },
        { "along(run(net, 48, order, final, off), 'share')", "''" },
        { "along(run(net, 48, order, final, off), 'variance')", "run(net, 48, order, final, off).out:var()" },
      },
    },
  },

  ask.number "share" {
    title   = "A late layer's share",
    teaches = { "pre-norm-final" },
    data    = function(random) return { k = random:pick { 9, 12, 18, 24, 30, 48 }, u = random:pick { 0.25, 0.5, 1, 2 } } end,
    text    = [[
In a pre-norm stack the row that goes in has variance 1, and each layer adds an update of variance {u}, unrelated to what is there.

What is the length of layer {k}'s update, divided by the length of the stream that layer {k} gets? (A row's length goes with its deviation.)
]],
    answer  = "sqrt(u / (1 + (k - 1) * u))",
    digits  = 3,
    allow   = { "k", "u" },
    mistake "variances" { by = "u / (1 + (k - 1) * u)", say = "{got} compares the *variances*. Lengths go with their roots." },
    mistake "with"      { by = "sqrt(u / (1 + k * u))", say = "You took the stream after layer {k}, with its own update in it. Layer {k} gets what {k - 1} layers have added." },
    mistake "first"     { by = "sqrt(u)", say = "That is the first layer's share, beside a stream of variance 1. {k - 1} updates have been added since." },
    mistake "one"       { by = "1", when = "u ~= 1", say = "1 would be an update as long as the stream. The update has variance {u}. What has the stream?" },
    mistake "updates" {
      by  = "sqrt(1 / (k - 1))",
      say = "You left out the row that went in; its variance of 1 is in the stream as well.",
    },
    mistake "turned"    { by = "sqrt((1 + (k - 1) * u) / u)", say = "The other way round: that is the stream beside the update." },
    mistake "half"      { by = "sqrt(u) / (1 + (k - 1) * u)", say = "You took the root of the update's variance only. The stream's needs it too." },
    hints   = {
      "Layer {k} gets a stream to which {k - 1} layers have added. What is its variance?",
      "The stream's variance is 1 + {k - 1} × {u} = {1 + (k - 1) * u}, the update's {u}. Take both roots.",
    },
    why     = "sqrt({u}) / sqrt({1 + (k - 1) * u}) = {answer}. The first layer's share was {sqrt(u)}. The final norm rescales the sum; it does not give the late layers back their share.",
  },

  ask.choice "logits" {
    title   = "Without the final norm",
    teaches = { "pre-norm-final" },
    given   = { depth = "6", final = "false" },
    text    = [[
One more random matrix makes 64 *logits* of the row that comes out: scores, of which softmax makes probabilities. After 6 pre-norm layers
*without* a final norm their deviation is {spread[6]}.

And after 48?
]],
    knobs   = { knob.int "depth" { 1, 48 }, knob.switch "final" { label = "final norm" } },
    show    = view.table {
      head = { "layers", "variance", "logits' deviation", "largest probability" },
      { "depth", "after(grown, depth)", "logits(unembed, pre, depth, final):std()", "max(nn.softmax(logits(unembed, pre, depth, final)))" },
    },
    predict = { from = { depth = 6, final = false }, to = { depth = 48, final = false } },
    option "same" {
      "about the same: the matrix is the same",
      say = "The matrix is the same, but the row that it reads has become larger, and the logits with it.",
    },
    option "root"       { "about 5: it goes with the root of the variance", right = true },
    option "variance" {
      "about 15: it goes with the variance",
      say = "The *variance* of the logits does: it goes from {spread[6] ^ 2} to {spread[48] ^ 2}. Their deviation is its root.",
    },
    why     = "{spread[48]}: larger logits, so the softmax is surer, for no reason but the depth. Now switch **final norm** on and turn **depth**: what does the deviation do?",
  },

  ask.choice "why-pre" {
    title   = "Why pre-norm all the same?",
    teaches = { "pre-norm-final" },
    text    = "The original Transformer is post-norm. Many later models are pre-norm, often with a final norm. What is the usual reason?",
    option "bounded" {
      "The stream stays at variance 1",
      say = "That is post-norm. In pre-norm the stream grows with each layer, and the final norm is there because of it.",
    },
    option "cheaper" {
      "It computes fewer norms",
      say = "Each sublayer has one norm in either order, and pre-norm needs one more at the end.",
    },
    option "better" {
      "Once trained it is always the better model",
      say = "Not always. Where post-norm training succeeds it is often as good or better; in pre-norm the late layers have a smaller share.",
    },
    option "steady"     { "Deep stacks train steadily from the start", right = true },
    hints   = { "What does a gradient meet on its way back along the skips, in either order?" },
    why     = "No norm stands on the stream, so gradients go back through the sums unchanged, and at the start those of the last layers are not as large as in post-norm. Often not even a *warm-up* is needed, a learning rate that begins small. GPT-2 and many others are pre-norm. The price: a growing stream, and diluted late layers.",
  },

  ask.choice "copied" {
    title   = "The same weights, the other order",
    teaches = { "weights-not-portable" },
    given   = { depth = "6" },
    text    = [[
The weights of the pre-norm stack, which ends with a final norm, are copied into post-norm code. The cosine, lesson 1's *likeness*, compares the
outputs for one x: 1 is alike but for scale, 0 unrelated. For 6 layers it is {after(alike, 6)|2}.

And for 24?
]],
    knobs   = { knob.int "depth" { 1, 24 } },
    show    = view.column {
      view.table { head = { "layers", "cosine" }, { "depth", "after(alike, depth)" } },
      view.plot { over = { "layer", 0, "depth", label = "layers" }, lines = { { "between(alike, layer)", label = "cosine" } } },
    },
    predict = { from = { depth = 6 }, to = { depth = 24 } },
    option "one" {
      "1: the final norm makes them alike",
      say = "It makes the two outputs equally long. It does not turn a row that points another way.",
    },
    option "same" {
      "about {after(alike, 6)|2}: it does not depend on the depth",
      say = "Each layer in the other order reads a row that is a little off and puts it off a little more, so the depth adds up.",
    },
    option "less"       { "below 0.65", right = true },
    why     = "{after(alike, 24)|2}. In post-norm each norm shrinks all that came before; in pre-norm every update stays in the sum as it was added. Look at 12 layers: {after(alike, 12)|2}.",
  },

  ask.choice "loaded" {
    title   = "It loads",
    teaches = { "weights-not-portable" },
    text    = [[
Somebody tidies up a program and moves the norms of a *trained* model from after the sum to before F. All the names and shapes of the weights
stay, and they load without an error. What has become of the model?
]],
    option "harmless" {
      "It is the same model: same weights, same layers",
      say = "Weights are half of a function; the order of the operations is the other. You have measured how far apart two orders get.",
    },
    option "final" {
      "It needs a final norm, then it is the same model",
      say = "A final norm gives the output its scale. Its direction stays wrong: the cosine was measured with a final norm.",
    },
    option "error" {
      "It is broken, and the first forward pass will raise an error",
      say = "Every shape fits, so nothing complains. That is what makes it dangerous: only the answers are wrong.",
    },
    option "other"      { "It is another function, and would have to be trained again", right = true },
    hints   = { "Is there anything that *checks* the order? And does the order change what comes out?" },
    why     = "Copying weights into another order is no harmless tidying up. To be safe, compare the outputs for the same input before and after a change.",
  },
}
