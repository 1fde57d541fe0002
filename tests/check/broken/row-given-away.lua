-- A view that shows the row that is asked for.
return lesson "row-given-away" {
  format = 1,
  title  = "Row given away",

  ask.tensor "centred" {
    data   = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "Subtract the mean from {x}.",
    show   = view.pipeline { "x" }, --! the question's own view shows its answer (view.pipeline, centred; it can hide x, centred,
    answer = "x - x:mean()",
    why    = "It is {answer}.",
  },
}
