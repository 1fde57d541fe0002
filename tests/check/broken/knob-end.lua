-- A view that cannot be drawn where a knob ends.
return lesson "knob-end" {
  format = 1,
  title  = "Knob end",

  step "turn" {
    data  = function(random) return { x = random:integers { 4, from = 1, to = 9 } } end,
    text  = "Turn **k**.",
    knobs = { knob.int "k" { 1, 5, at = 1 } },
    show  = view.table { { "x[k]" } }, --! (with `k` at its end, 5)
  },
}
