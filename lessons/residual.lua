-- The residual path: an update is added to a stream, and the stream stays.
local DEPTH = 6

-- A small sublayer for each layer: any function of the stream would do here.
local function sublayer(w)
  return function(h, layer) return tanh(h * w[layer]) end
end

local function length(x)
  return sqrt((x * x):sum())
end

-- The length of a row after each of the layers, itself first; in the broken layer the sublayer returns zeros.
local function lengths(x, w, skips, broken)
  local f, all = sublayer(w), { length(x) }
  for layer = 1, DEPTH do
    local update = f(x, layer)
    if layer == broken then
      update = update * 0
    end
    x = skips and x + update or update
    all[layer + 1] = length(x)
  end
  return all
end

-- The stream through six layers with dropout on their updates.
local function trace(x, w, dropout, off)
  return nn.stack(x, { depth = DEPTH, order = "none", sublayer = sublayer(w), dropout = dropout, off = off })
end

local function weights(random)
  local signs = random:integers { DEPTH, 4, from = 0, to = 1 } * 2 - 1
  return signs * random:uniform { DEPTH, 4, from = 0.4, to = 1.6, places = 1 }
end

local function sizes(random)
  return { B = random:integer(2, 5), T = random:integer(3, 7), F = random:pick { 4, 6, 8, 12, 16 } }
end

-- The numbers of a row that dropout keeps are those with a 1; what they become.
local function dropped(u, mask, rate)
  return u * mask / (1 - rate)
end

-- Updates of several shapes, for a stream of shape (2, 3, 4). Where they have tokens, these differ.
local function update_of(name)
  local shapes = { same = { 2, 3, 4 }, narrow = { 2, 3, 3 }, one = { 2, 3, 1 }, features = { 4 }, samples = { 2, 1, 1 } }
  local rows   = { [1] = { 0.5 }, [3] = { 0.5, 1, 1.5 }, [4] = { 0.5, 1, 1.5, 2 } }
  local shape  = shapes[name]
  local signs  = shape[2] == 3 and tensor { { 1 }, { -1 }, { 1 } } or 1
  return tensor.zeros(shape) + tensor(rows[shape[#shape]]) * signs
end

-- What of an update is meant for a token of the first sample.
local function part_of(u, token)
  if #u.shape == 1 then return u end
  return u.shape[2] == 1 and u[1][1] or u[1][token]
end

return lesson "residual" {
  format   = 1,
  title    = "The residual path",
  about    = "x + sublayer(x): what the skip carries, dropout on the update, and shapes that must match.",
  minutes  = 10,
  needs    = { "normalize", "axis" },
  goal     = [[
You will be able to say what a residual connection, `x + F(x)`, carries through a layer, whatever its *sublayer* F does.

You will work out by hand an update with *dropout*, which sets some of its numbers to 0 in training, and tell which shapes can
be added, which cannot, and which go wrong without an error.

You need to know what a token is and what shape a batch of tokens has.
]],
  remember = [[
- A residual layer is `x + sublayer(x)`: the sublayer's *update* is added to the *stream*, which stays.
- A sublayer that returns 0 leaves x as it was. Without a skip it would leave nothing.
- Dropout is on the update, not on the sum: what is kept is divided by 1 - p, and the skip is untouched.
- The update must have the stream's very shape. (B, T, F - 1) is an error; (B, T, 1) is silently added to every feature.
- The stream is x plus all updates. So a change in x always has a way to the end, which helps gradients: the next lesson follows them back.
]],
  sources  = {
    "He, Zhang, Ren, Sun: Deep Residual Learning, 2015 (arXiv:1512.03385)", "Vaswani et al.: Attention Is All You Need, 2017 (arXiv:1706.03762)",
    "PyTorch documentation: torch.nn.Dropout",
  },

  define = {
    lengths = lengths, trace = trace, dropped = dropped, update_of = update_of,
    before = function(trace, layer) return layer == 1 and trace.x or trace.layers[layer - 1].stream end,
    part_of = part_of,
    sum_of = function(x, u, token) return tensor.broadcast(x, u) == "error" and "error" or (x + u)[1][token] end,
  },

  ask.choice "silent" {
    title   = "One sublayer breaks down",
    teaches = { "residual-update", "old-stays" },
    data    = function(random)
      return { x = random:integers { 4, from = 1, to = 9, distinct = true }, w = weights(random), layer = random:integer(2, 5), silent = false }
    end,
    given   = {
      skips = "lengths(x, w, true, silent and layer or 0)",
      plain = "lengths(x, w, false, silent and layer or 0)",
    },
    text    = [[
x = {x} goes through six layers with skips, `x + F(x)`, and six without, `F(x)`. Shown is its length, sqrt(sum of squares), after each.

Layer {layer} breaks down: its sublayer F returns zeros. What reaches the end?
]],
    knobs   = { knob.switch "silent" { label = "breaks" } },
    show    = view.table {
      head  = { "x", "1", "2", "3", "4", "5", "6" },
      names = { "x + F(x)", "F(x)" },
      { "skips[1]", "skips[2]", "skips[3]", "skips[4]", "skips[5]", "skips[6]", "skips[7]" },
      { "plain[1]", "plain[2]", "plain[3]", "plain[4]", "plain[5]", "plain[6]", "plain[7]" },
    },
    predict = { from = { silent = false }, to = { silent = true } },
    option "zeros" {
      "zeros with skips, zeros without",
      say = "With a skip the zeros are *added*: x + 0 is x, and the next layer gets what the broken one got.",
    },
    option "x" {
      "x alone with skips, zeros without",
      say = "The other five layers still add their updates to x.",
    },
    option "less" {
      "a little less than before, with skips and without",
      say = "Without a skip nothing goes around the broken layer. Zeros are all that the next one gets.",
    },
    option "others" { "x and five updates with skips, zeros without", right = true },
    why     = "x + 0 = x: with a skip, the length stays over layer {layer}. Without one, nothing of x gets past it. (This F makes zeros of zeros. With a bias it would make something of them, but nothing that depends on x.)",
  },

  step "stream" {
    title   = "The stream and its branches",
    teaches = { "residual-update", "old-stays" },
    data    = function(random)
      return { x = random:integers { 4, from = 1, to = 9, distinct = true } / 2, w = weights(random), luck = random:uniform { DEPTH, 4 } }
    end,
    text    = [[
The *stream* runs from left to right; each layer adds an update to it. Below: the numbers of one layer; Tab, then ← →, goes
to another. What changes when the key `x` switches its branch off?

*Dropout*, which is for training, sets each feature of an update to 0 with chance **p**. Turn it: what becomes of the stream there?
]],
    knobs   = { knob.linear "rate" { 0, 0.9, stops = 9, label = "p" } },
    show    = view.column {
      view.stack { "trace(x, w, { rate = rate, random = luck }, off)" },
      view.table {
        names = { "before", "update", "after" },
        { "before(trace(x, w, { rate = rate, random = luck }, off), cursor.layer)" },
        { "trace(x, w, { rate = rate, random = luck }, off).layers[cursor.layer].update" },
        { "trace(x, w, { rate = rate, random = luck }, off).layers[cursor.layer].stream" },
      },
    },
  },

  step "by-hand" {
    title   = "Dropout on the update",
    teaches = { "residual-update" },
    data    = function(random) return { x = tensor { 1, 2, 3, 4 }, u = tensor { 0.5, -0.5, 1, 0 }, luck = tensor { 0.95, 0.45, 0.25, 0.05 }, rate = 0.5 } end,
    given   = { mask = "select(2, nn.dropout(u, { rate = rate, random = luck }))" },
    text    = [[
One layer by hand. Dropout sets each feature of the update to 0 with chance p, and divides the others by 1 - p: then the update is on
average what it was. The *mask* says which are kept.

Turn **p**. What stands in the last row where the mask is 0? And what becomes of a feature that is kept, as fewer are?
]],
    knobs   = { knob.linear "rate" { 0, 0.9, at = 0.5, stops = 9, label = "p" } },
    show    = view.table {
      names = { "x", "update", "mask (1: kept)", "update × mask / (1 - p)", "x + that" },
      { "x" }, { "u" }, { "mask" }, { "dropped(u, mask, rate)" }, { "x + dropped(u, mask, rate)" },
    },
  },

  ask.tensor "dropout" {
    title   = "Dropout by hand",
    teaches = { "residual-update" },
    data    = function(random)
      local rate = random:pick { 0.5, 0.75, 0.2 }
      local kept = ({ [0.5] = random:pick { { 1, 0, 0, 0 }, { 1, 1, 0, 0 } }, [0.75] = { 1, 0, 0, 0 }, [0.2] = { 1, 1, 1, 0 } })[rate]
      return {
        x = random:integers { 4, from = 1, to = 9, distinct = true },
        u = random:integers { 4, from = 1, to = 6, distinct = true } * tensor(random:shuffle { 1, 1, -1, -1 }) / 2,
        mask = tensor(random:shuffle(kept)), rate = rate,
      }
    end,
    text    = [[
x = {x}; its sublayer returns {u}.

Dropout with p = {rate} keeps {mask} of the update (1: kept). What does the layer return?
]],
    answer  = "x + dropped(u, mask, rate)",
    mistake "unscaled" {
      by  = "x + u * mask",
      say = "The kept features are there, but not divided by 1 - p = {1 - rate}. Without that the update would be smaller on average.",
    },
    mistake "sum" {
      by  = "dropped(x + u, mask, rate)",
      say = "You dropped from the *sum*. Dropout is on the update alone; x goes on whole.",
    },
    mistake "sum-unscaled" {
      by  = "(x + u) * mask",
      say = "You dropped from the *sum*, so x is lost where the mask is 0. Dropout is on the update alone.",
    },
    mistake "none"      { by = "x + u", say = "That is the layer without dropout." },
    mistake "x"         { by = "x", say = "That is x. What is kept of the update is still to be added." },
    mistake "swapped"   { by = "x + dropped(u, 1 - mask, rate)", say = "You kept what was dropped: a 1 in {mask} is kept." },
    mistake "all"       { by = "x + u / (1 - rate)", say = "You divided by 1 - p, but dropped nothing." },
    mistake "times"     { by = "x + u * mask * (1 - rate)", say = "You multiplied by 1 - p. Dividing is what makes up for the features that are gone." },
    mistake "by-p" {
      by   = "x + u * mask / rate",
      when = "rate ~= 0.5",
      say  = "You divided by p = {rate}. What remains is 1 - p = {1 - rate} of the features: divide by that.",
    },
    mistake "no-skip"   { by = "dropped(u, mask, rate)", say = "That is the update. The layer adds it to x." },
    hints   = {
      "First the update: 0 where it is dropped, divided by 1 - p where it is kept.",
      "The update becomes {dropped(u, mask, rate)}. Add x.",
    },
    why     = "The update becomes {dropped(u, mask, rate)}; added to x that is {answer}. Where the update was dropped, x stands as it was.",
  },

  ask.shape "narrow" {
    title   = "One feature short",
    teaches = { "residual-update" },
    data    = sizes,
    given   = { x = "tensor.zeros { B, T, F }", u = "tensor.zeros { B, T, F - 1 }" },
    text    = [[
`x + sublayer(x)` adds number to number, so both should have the same shape.

The stream has the shape {x.shape}, the sublayer returns {u.shape}. What is the shape of `x + sublayer(x)`, if there is one?
]],
    answer  = "tensor.broadcast(x, u)",
    mistake "filled"    { by = "{ B, T, F }", say = "Nothing fills up the feature that is missing: {F} and {F - 1} numbers cannot be added one by one." },
    mistake "cut"       { by = "{ B, T, F - 1 }", say = "Nothing cuts the stream to {F - 1} features. It would have to know which one to lose." },
    mistake "joined"    { by = "{ B, T, 2 * F - 1 }", say = "That would be both one after the other. They are to be *added*, number by number." },
    hints   = { "Line the two shapes up from the right. Which sizes are to be added number by number?" },
    why     = "{F} against {F - 1}: an error. That is the friendly case, because you hear of it.",
  },

  ask.shape "single" {
    title   = "One feature only",
    teaches = { "residual-update" },
    data    = sizes,
    given   = { x = "tensor.zeros { B, T, F }", u = "tensor.zeros { B, T, 1 }" },
    text    = "By mistake a sublayer returns the mean of its features: the stream has the shape {x.shape}, the sublayer returns {u.shape}. What is the shape of `x + sublayer(x)`?",
    answer  = "tensor.broadcast(x, u)",
    mistake "error" {
      by  = '"error"',
      say = "That would be better. A size of 1 is *broadcast*: the one number is added to all {F} features. No error, and a wrong model.",
    },
    mistake "one"       { by = "{ B, T, 1 }", say = "The stream keeps its {F} features; size 1 gives way to size {F}." },
    mistake "joined"    { by = "{ B, T, F + 1 }", say = "That would be both one after the other. They are to be *added*." },
    hints   = { "What became of `x - mean`, where the mean had the shape (B, T, 1)?" },
    why     = "Size 1 is stretched to {F}. All features of a token get the same number added: silently, a layer that says one thing instead of {F}.",
  },

  step "shapes" {
    title   = "Which shapes go through?",
    teaches = { "residual-update" },
    data    = function(random) return { x = random:integers { 2, 3, 4, from = 1, to = 9 } } end,
    given   = { u = "update_of(update)", update = "'same'" },
    text    = [[
The stream has the shape {x.shape}. Turn **update** through shapes that a sublayer might return. The table has two tokens of the first sample.

Which shape is refused? With which do all features of a token get the same number, or all tokens the same row?
]],
    knobs   = {
      knob.pick "update" {
        "same", "narrow", "one", "features", "samples",
        names = { same = "(2, 3, 4)", narrow = "(2, 3, 3)", one = "(2, 3, 1)", features = "(4,)", samples = "(2, 1, 1)" },
      },
    },
    show    = view.table {
      head  = { "shape", "token 1", "token 2" },
      names = { "x", "update", "x + update" },
      { "x.shape", "x[1][1]", "x[1][2]" }, { "u.shape", "part_of(u, 1)", "part_of(u, 2)" },
      { "tensor.broadcast(x, u)", "sum_of(x, u, 1)", "sum_of(x, u, 2)" },
    },
  },

  ask.tensor "back" {
    title   = "Where it came from",
    teaches = { "old-stays", "additive-path" },
    data    = function(random)
      return {
        x = random:integers { 3, from = 1, to = 9, distinct = true }, u = random:integers { 3, from = -9, to = 9, distinct = true } / 2,
        v = random:integers { 3, from = -9, to = 9, distinct = true } / 2,
      }
    end,
    given   = { y = "x + u + v" },
    text    = [[
A stream has gone through two residual layers and is now {y}. The first layer's update was {u}, the second's {v}.

What was the stream before the first?
]],
    answer  = "x",
    mistake "second"    { by = "y - v", say = "That is the stream between the two layers. Take the first update away as well." },
    mistake "first"     { by = "y - u", say = "You took the first update away. The second one is still in it." },
    mistake "added"     { by = "y + u + v", say = "You added the updates once more. They are in the stream already: take them away." },
    mistake "end"       { by = "y", say = "That is the stream after both layers." },
    mistake "updates"   { by = "u + v", say = "That is what the layers added together. What had they added it *to*?" },
    hints   = { "The layers added: {u}, then {v}. Go back.", "The updates together are {u + v}. Subtract them." },
    why     = "Nothing was overwritten: the stream is its beginning plus all updates. A later layer can read what an earlier one found, and a change of x is added straight to the end. Without skips there is only what the last sublayer made.",
  },
}
