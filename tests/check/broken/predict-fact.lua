-- A prediction with a formula that needs a fact that there is not.
return lesson "predict-fact" {
  format = 1,
  title  = "Predict fact",
  data   = function(random) return { top = random:integer(4, 5) } end,

  ask.choice "which" {
    text    = "Which of {top}? {k}",
    knobs   = { knob.linear "k" { 1, 5 } },
    predict = { from = { k = 1 }, to = { k = "top > 9 and tpo or 2" } }, --! `predict`: unknown name `tpo`; did you mean `top`?
    option "one" { "One", right = true },
    option "two" { "Two", say = "No." },
    why  = "One.",
  },
}
