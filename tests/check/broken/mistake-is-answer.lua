-- A mistake that is right.
return lesson "mistake-is-answer" {
  format = 1,
  title  = "Mistake is answer",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum" { by = "x:sum() / #x", say = "That is the sum." }, --! the mistake "sum" and the answer of ask.number "mean" come to the same
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
