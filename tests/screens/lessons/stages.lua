-- Views stage by stage, for the golden screens and the tests that step through them.
local function pipeline_of(x)
  return { x = tensor(x), scale = tensor { 2, 1, -1, 0.5 } }
end

-- Two tokens of eight features; each layer is W2 relu(W1 x), drawn with a variance of 1 / 8.
local function net_of(random)
  local list = {}
  for layer = 1, 64 do list[layer] = random:normal { 2, 8, 8, std = 0.35 } end
  return { x = random:normal { 2, 8 }, w = list, luck = random:uniform { 64, 2, 8 } }
end

local function trace_of(w, x, depth, order, final, off, rate, luck)
  return nn.stack(x, {
    depth = depth, order = order, final_norm = final, off = off,
    dropout = rate > 0 and { rate = rate, random = luck } or nil,
    sublayer = function(h, layer) return nn.linear(nn.relu(nn.linear(h, w[layer][1])), w[layer][2]) end,
    gradient = function(out) return (out * x):sum("all") end,
  })
end

return lesson "stages" {
  format = 1,
  title  = "Stages",
  define = { trace = trace_of },

  step "pipeline" {
    title  = "Pipeline",
    data   = function(random) return pipeline_of { 1, 7, 9, 15 } end,
    text   = "One token, stage by stage.",
    edit   = { "x" },
    cursor = { feature = 2 },
    show   = view.pipeline { "x" },
  },

  step "affine" {
    title  = "Scale and bias",
    data   = function(random) return pipeline_of { 1, 7, 9, 15 } end,
    text   = "One token, stage by stage, with scale and bias.",
    cursor = { feature = 3 },
    show   = view.pipeline { "x", scale = "scale", bias = "0.25" },
  },

  step "long" {
    title  = "Many features",
    data   = function(random) return { x = random:normal { 2, 9, places = 2 } } end,
    text   = "The second of two tokens.",
    cursor = { token = 2, feature = 8 },
    show   = view.pipeline { "x", eps = "0.01" },
  },

  ask.number "hidden" {
    title  = "Hidden",
    data   = function(random) return pipeline_of { 1, 7, 9, 15 } end,
    text   = "What is the variance?",
    show   = view.pipeline { "x" },
    hide   = { "var", "rstd", "normalized" },
    answer = "x:var()",
    why    = "100 / 4 = 25.",
  },

  step "stack" {
    title  = "Stack",
    data   = net_of,
    text   = "The gradient comes back from {trace(w, x, depth, order, final, off, rate, luck).loss}, the loss.",
    knobs  = { knob.int "depth" { 1, 64, at = 64 }, knob.pick "order" { "pre", "post", "none" }, knob.switch "final" { label = "final norm" },
               knob.linear "rate" { 0, 0.8, at = 0 } },
    show   = view.stack { "trace(w, x, depth, order, final, off, rate, luck)" },
  },

  ask.number "dark" {
    title  = "Hidden in a stack",
    data   = net_of,
    given  = { made = "trace(w, x, 4, 'pre', true, nil, 0, luck)" },
    text   = "What is the norm of the gradient before the first layer?",
    show   = view.stack { "made" },
    hide   = { "share", "gradient" },
    answer = "made.gradient",
    why    = "It is {answer}.",
  },
}
