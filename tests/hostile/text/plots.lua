-- A plot over nothing, of nothing, to infinity.
--> says: two rising ends
return lesson "plots" { format = 1, title = "Attack", step "s" { text = "t", show = view.plot { over = { "s", -1/0, 1/0 }, lines = { { "0/0", label = "nan" }, { "s / 0", label = "inf" } }, -- here
  marks = { { "0/0", label = "x" }, { "1e308", label = "y" } } } } }
