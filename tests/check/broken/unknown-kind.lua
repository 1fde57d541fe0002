-- A question of a kind that there is not.
return lesson "unknown-kind" {
  format = 1,
  title  = "Unknown kind",

  ask.numbr "mean" { --! unknown kind of ask `numbr`; did you mean `number`?
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
