-- Something hidden that the view has not.
return lesson "hide-unknown" {
  format = 1,
  title  = "Hide unknown",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    show   = view.tokens { "x" },
    hide   = { "means" }, --! `hide`: the view has no `means`; did you mean `mean`?
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
