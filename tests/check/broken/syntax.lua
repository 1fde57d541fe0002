-- Two signs where one stands.
return lesson "syntax" {
  format = 1,
  title  = "Syntax",

  step "one" { text = "One." 5 }, --! '}' expected near '5'
}
