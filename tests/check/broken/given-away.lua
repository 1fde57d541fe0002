-- A view that shows the answer.
return lesson "given-away" {
  format = 1,
  title  = "Given away",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    show   = view.tokens { "x" }, --! the question's own view shows its answer (view.tokens, mean; it can hide before, mean,
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
