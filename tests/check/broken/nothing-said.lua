-- A wrong option about which nothing is said.
return lesson "nothing-said" {
  format = 1,
  title  = "Nothing said",

  ask.choice "which" {
    text = "Which?",
    option "one" { "One", right = true },
    option "two" { "Two" }, --! option "two" needs the field `say`
    why  = "One.",
  },
}
