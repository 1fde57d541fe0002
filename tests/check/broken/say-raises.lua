-- Words about a mistake that cannot be filled.
return lesson "say-raises" {
  format = 1,
  title  = "Say raises",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum" { by = "x:sum()", say = "You said {got[1]}." }, --! `say`: attempt to index a number
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
