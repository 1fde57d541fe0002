-- A word of half a megabyte.
--> draws: aaaa
return lesson "long-lines" { format = 1, title = ("t"):rep(10000), step "s" { title = ("s"):rep(10000), text = ("a"):rep(500000),
  knobs = { knob.int "k" { 1, 9, label = ("k"):rep(10000) } }, show = view.bars { "tensor { 1, 2 }", names = { ("n"):rep(10000), "b" } } } }
