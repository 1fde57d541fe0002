-- A choice with two right options.
return lesson "two-right" {
  format = 1,
  title  = "Two right",

  ask.choice "which" { --! 2 options are right; exactly one must be, unless `several = true`
    text = "Which?",
    option "one" { "One", right = true },
    option "two" { "Two", right = true },
    why  = "Both.",
  },
}
