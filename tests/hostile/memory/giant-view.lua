-- Very many cells.
--> stops
return lesson "giant-view" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = view.bars { "tensor.ones { 5000000 }" } }, -- here
}
