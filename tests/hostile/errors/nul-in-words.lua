-- Zero bytes in words, ids and names.
--> draws: before
return lesson "nul-in-words" { format = 1, title = "Attack\0after", step "s" { text = "before \0 after {'a\0b'}",
  show = view.bars { tensor { 1, 2 }, names = { "a\0b", "c" } } } }
