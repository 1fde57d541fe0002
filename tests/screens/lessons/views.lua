-- Every kind of view alone, for the golden screens.
return lesson "views" {
  format = 1,
  title  = "Views",

  step "tokens" {
    title  = "Tokens",
    data   = function(random) return { x = tensor { { 1, 2, 3, 6 }, { 0.001, 0.002, 0.004, -0.002 }, { 5, 5, 5, 5 } } } end,
    text   = "Three tokens with ε = {eps}. The second is quiet.",
    knobs  = { knob.log "eps" { 1e-12, 1, at = 1e-5, stops = 48, label = "ε" } },
    edit   = { "x" },
    cursor = { token = 2 },
    show   = view.tokens { "x", names = { "loud", "quiet", "constant" }, eps = "eps" },
  },

  step "pipeline" {
    title = "Pipeline",
    data  = function(random) return { x = tensor { 1, 7, 9, 15 } } end,
    text  = "One token, **column by column**.",
    edit  = { "x" },
    show  = view.pipeline { "x" },
  },

  step "bars" {
    title = "Bars",
    data  = function(random) return { x = tensor { -1.5, 0.25, 0, 3, 1e-3 } } end,
    text  = "Five numbers.",
    show  = view.bars { "x", names = { "first", "second", "none", "largest", "small" } },
  },

  step "plot" {
    title = "Plot",
    text  = "Two curves over **d**, and two marks. Turn ε.",
    knobs = { knob.log "eps" { 1e-12, 1, at = 1e-5, stops = 48, label = "ε" }, knob.linear "at" { 0, 1, at = 0.5 } },
    show  = view.plot {
      over  = { "d", 1e-6, 1, log = true, label = "deviation before" },
      lines = { { "d / sqrt(d * d + eps)", label = "under the root" }, { "d / (d + eps)", label = "after the root" } },
      marks = { { "0.001", label = "quiet" }, { "at", label = "you" } },
    },
  },

  step "table" {
    title = "Table",
    data  = function(random) return { x = tensor { 1, 2, 4 } } end,
    text  = "Numbers of every size, and some that are none.",
    show  = view.table {
      head  = { "plain", "tiny", "huge", "none" },
      names = { "first", "second", "third" },
      { "1", "1e-7", "123456", "0 / 0" },
      { "-0.25", "2.5e-12", "1e9", "1 / 0" },
      { "100.125", "x[3] / 1000", "x:sum()", "-1 / 0" },
    },
  },

  step "row" {
    title = "Row",
    data  = function(random) return { x = tensor { { 1, 2, 3 }, { 2, 4, 9 } } } end,
    text  = "Two views side by side, where there is room.",
    show  = view.row { view.tokens { "x" }, view.table { head = { "sum" }, names = { "all" }, { "x:sum()" } } },
  },

  step "column" {
    title = "Column",
    data  = function(random) return { x = tensor { 1, 2, 6 } } end,
    text  = "Three views, the most important first.",
    knobs = { knob.pick "by" { "n", "less", names = { n = "n", less = "n - 1" }, label = "divide by" }, knob.switch "bias" {} },
    show  = view.column {
      view.table { head = { "variance" }, { "by == 'n' and x:var() or x:var(nil, { unbiased = true })" } },
      view.bars { "x" },
      view.plot { over = { "t", 0, 6, label = "t" }, lines = { { "t * t", label = "square" } } },
    },
  },

  step "axes" {
    title  = "Axes",
    data   = function(random) return { x = tensor { { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 1, 2, 3 } }, { { 4, 5, 6, 7 }, { 8, 9, 1, 2 }, { 3, 4, 5, 6 } } } } end,
    text   = "What shares a mean with the number under the cursor.",
    knobs  = { knob.pick "over" { "batch", "token", "feature" } },
    edit   = { "x" },
    cursor = { batch = 1, token = 2, feature = 3 },
    show   = view.axes { "x", over = "over" },
  },

  step "heat" {
    title = "Heat",
    data  = function(random) return { x = tensor { { { 1, -2, 0 }, { 3, -40, 0.5 } }, { { 0.001, 7, -7 }, { 12, 0, 1e6 } } } } end,
    text  = "Numbers of every size and both signs.",
    show  = view.heat { "x", names = { "left", "middle", "right" } },
  },

  step "compare" {
    title = "Compare",
    data  = function(random) return { x = tensor { { 1, 2, 3, 6 }, { 4, 4, 9, 1 } } } end,
    text  = "The same tokens, normalized in two ways.",
    edit  = { "x" },
    show  = view.compare { "(nn.layer_norm(x))", "(nn.rms_norm(x))", names = { "layer norm", "RMS norm" } },
  },

  step "leak" {
    title  = "Leak",
    text   = "Which tokens move the one under the cursor.",
    knobs  = { knob.pick "over" { "token", "batch", "feature" } },
    cursor = { batch = 1, token = 2 },
    show   = view.leak { "function(x, scale, bias, eps) return (x - x:mean(over)) / sqrt(x:var(over) + eps) * scale + bias end", seed = 1 },
  },

  step "probes" {
    title = "Probes",
    text  = "A module that averages over the batch.",
    show  = view.probes {
      "function(x, scale, bias, eps) return (x - x:mean('batch')) / sqrt(x:var('batch') + eps) * scale + bias end",
      list = { "companion", "future", "one_feature", "alone", "constant_row" }, seed = 1,
    },
  },

  step "precision" {
    text = "What each type makes of these numbers.",
    show = view.precision { "{ 40000, 40001, 40002, 40003 }" },
  },
  step "text" {
    title = "Text",
    text  = [[
A paragraph with *emphasis*, **strong words**, `code` and a long sentence that has to be wrapped at the end of the line.

1. first
2. second, which is long enough that it goes on below itself, and not below its number

| shape | axis |
| --- | --- |
| (2, 3) | 2 |

    y = (x - mean) / sqrt(var + eps)

- a point
- another: wide letters 漢字, a joined one é, √(σ² + ε) ≤ 1
]],
  },
}
