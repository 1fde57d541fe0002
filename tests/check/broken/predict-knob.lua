-- A prediction that turns a knob that there is not.
return lesson "predict-knob" {
  format = 1,
  title  = "Predict knob",

  ask.choice "which" {
    text    = "Which? {k}",
    knobs   = { knob.int "k" { 1, 5 } },
    predict = { from = { k = 1 }, to = { kk = 2 } }, --! `predict`: there is no knob `kk` here
    option "one" { "One", right = true },
    option "two" { "Two", say = "No." },
    why  = "One.",
  },
}
