-- A plot whose lines are nowhere.
--> draws: Attack
return lesson "plots-of-infinities" { format = 1, title = "Attack", step "s" { text = "t", show = view.plot { over = { "s", -1e308, 1e308 }, lines = { { "0/0", label = "nan" }, { "s / 0", label = "inf" }, { "s * s", label = "sq" } },
  marks = { { "1e-320", label = "x" }, { "1e308", label = "y" } } } } }
