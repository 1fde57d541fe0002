-- Two mistakes that come to the same.
return lesson "mistakes-agree" {
  format = 1,
  title  = "Mistakes agree",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum"   { by = "x:sum()", say = "That is the sum." },
    mistake "total" { by = "x[1] + x[2] + x[3] + x[4]", say = "That is the total." }, --! the mistakes "sum" (line 10) and "total" of ask.number "mean" come to the same
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
