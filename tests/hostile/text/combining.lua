-- A letter under a hundred thousand accents, and accents alone.
--> draws: Text
local many = "e" .. ("\u{301}"):rep(100000)
return lesson "combining" { format = 1, title = "T" .. ("\u{308}"):rep(1000), step "s" { title = ("\u{301}"):rep(50), text = "Text " .. many .. " end\n\n" .. ("\u{301}"):rep(5000),
  show = view.bars { "tensor { 1, 2 }", names = { many, "\u{301}" } } } }
