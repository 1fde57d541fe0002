-- A mistake not further than two tolerances from the answer.
return lesson "mistake-too-near" {
  format = 1,
  title  = "Mistake too near",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "1 / x:sum()",
    places = 2,
    mistake "near" { by = "1 / x:sum() + 0.009", say = "Near." }, --! the mistake "near" and the answer of ask.number "mean" come to the same
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
