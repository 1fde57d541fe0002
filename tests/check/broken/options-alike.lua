-- Two options that read the same.
return lesson "options-alike" {
  format = 1,
  title  = "Options alike",

  ask.choice "which" {
    text = "Which?",
    option "one" { "The mean", right = true },
    option "two" { "The mean", say = "No." }, --! "two" reads the same as "one"
    why  = "One.",
  },
}
