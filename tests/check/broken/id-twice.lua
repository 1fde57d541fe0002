-- Two steps with one id.
return lesson "id-twice" {
  format = 1,
  title  = "Id twice",

  step "one" { text = "One." },
  step "one" { text = "Two." }, --! the id "one" is used twice, first on line 6
}
