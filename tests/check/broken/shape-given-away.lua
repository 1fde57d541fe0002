-- A view that shows the shape that is asked for.
return lesson "shape-given-away" {
  format = 1,
  title  = "Shape given away",

  ask.shape "kept" {
    data   = function(random) return { x = random:integers { random:integer(2, 3), 3, random:integer(3, 5), from = 1, to = 9 } } end,
    text   = "What is the shape of the means of x, {x.shape}?",
    show   = view.axes { "x", over = "feature" }, --! shows its answer (view.axes, shape of mean; it can hide shape, statistic)
    answer = "x:mean('feature').shape",
    why    = "It is {answer}.",
  },
}
