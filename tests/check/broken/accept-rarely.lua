-- Data that are rarely fit.
return lesson "accept-rarely" {
  format = 1,
  title  = "Accept rarely",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    accept = "x[1] == 1 and x[2] == 2", --! draws of `data` only 12 were fit
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
