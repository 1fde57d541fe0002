-- Data that are the same for everybody.
return lesson "same-data" {
  format = 1,
  title  = "Same data",

  ask.number "mean" {
    data = function(random) return { x = tensor { 1, 2, 6, 7 } } end, --! `data` makes no difference: 12 seeds give one and the same question
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
