-- Hints are a list.
return lesson "wrong-type" {
  format = 1,
  title  = "Wrong type",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = "Add them up.", --! `hints` must be a list of texts, not a string
    why    = "It is {answer}.",
  },
}
