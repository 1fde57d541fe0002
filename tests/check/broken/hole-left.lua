-- A hole that is left as it is.
return lesson "hole-left" {
  format = 1,
  title  = "Hole left",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = { "Add them up: {{x}}." }, --! `hints` prints {x} as it is, a hole that is not filled
    why    = "It is {answer}.",
  },
}
