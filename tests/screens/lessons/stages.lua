-- Views stage by stage, for the golden screens and the tests that step through them.
local function pipeline_of(x)
  return { x = tensor(x), scale = tensor { 2, 1, -1, 0.5 } }
end

return lesson "stages" {
  format = 1,
  title  = "Stages",

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
}
