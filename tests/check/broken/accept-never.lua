-- Data that are never fit.
return lesson "accept-never" {
  format = 1,
  title  = "Accept never",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    accept = "x:sum() > 100", --! 200 draws of `data` and none was fit: `accept` refuses them all
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
