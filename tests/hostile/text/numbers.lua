-- Numbers that are none, and the largest and smallest.
--> draws: numbers
return lesson "numbers" { format = 1, title = "Attack", step "s" { text = "numbers {x} {y} {0/0} {1e308*10} {-1e308*10} {math.mininteger} {2^-1074} {1e300|99} {x|+.99e}",
  data = function() return { x = tensor { 0/0, 1/0, -1/0, 3e38, 1e-45 }, y = tensor { 0/0, 0/0 } } end,
  knobs = { knob.linear "l" { -1e308, 1e308 }, knob.log "g" { 1e-300, 1e300 }, knob.int "i" { -(1 << 52), 1 << 52 } },
  show = view.column { view.bars { "x" }, view.tokens { "tensor { { 0/0, 1/0 }, { -1/0, 3e38 } }" }, view.compare { "x", "-x" }, view.heat { "tensor { { 0/0, 1/0 }, { -1/0, 3e38 } }" } } } }
