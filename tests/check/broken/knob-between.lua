-- A view that cannot be drawn between the ends of a knob.
return lesson "knob-between" {
  format = 1,
  title  = "Knob between",

  step "turn" {
    data  = function(random) return { x = random:integers { 12, from = 1, to = 9 } } end,
    text  = "Turn **k**.",
    knobs = { knob.int "k" { 1, 4, at = 1 } },
    show  = view.table { { "x[({ 1, 2, 13, 4 })[k]]" } }, --! (with `k` at 3)
  },
}
