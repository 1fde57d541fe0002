-- A prediction whose formula sends the knob beyond its end.
return lesson "predict-outside" {
  format = 1,
  title  = "Predict outside",
  data   = function(random) return { top = random:integer(4, 5) } end,

  ask.choice "which" {
    text    = "Which of {top}? {k}",
    knobs   = { knob.int "k" { 1, 5 } },
    predict = { from = { k = "top - 3" }, to = { k = "top + 2" } }, --! `predict`: the knob `k` cannot stand at 7, as `to` says: it takes a whole number from 1 to 5
    option "one" { "One", right = true },
    option "two" { "Two", say = "No." },
    why  = "One.",
  },
}
