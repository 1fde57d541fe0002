-- A view that says nothing to those who do not see it.
return lesson "no-alt" {
  format = 1,
  title  = "No alt",

  step "look" {
    text = "Look.",
    show = view.bars { "tensor { 1, 2 }", alt = " " }, --! view.bars says nothing to those who do not see it
  },
}
