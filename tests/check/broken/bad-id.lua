-- An id with a capital letter.
return lesson "bad-id" {
  format = 1,
  title  = "Bad id",

  step "One" { text = "One." }, --! the id "One" of step may have only a-z, 0-9 and -
}
