-- A hole that is never closed.
return lesson "open-hole" {
  format = 1,
  title  = "Open hole",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = { "Add them up: {x:sum()." }, --! `hints.1`: a hole is opened with { and never closed
    why    = "It is {answer}.",
  },
}
