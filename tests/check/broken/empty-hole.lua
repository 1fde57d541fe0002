-- A hole with nothing in it.
return lesson "empty-hole" {
  format = 1,
  title  = "Empty hole",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = { "Add them up: {}." }, --! `hints.1`: an empty hole {}
    why    = "It is {answer}.",
  },
}
