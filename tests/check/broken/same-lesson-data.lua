-- Data of the lesson that are the same for everybody.
return lesson "same-lesson-data" {
  format = 1,
  title  = "Same lesson data",
  data = function(random) return { x = tensor { 1, 2, 6, 7 } } end, --! `data` makes no difference: under 12 seeds every step is the same

  ask.number "mean" {
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
