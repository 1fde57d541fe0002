-- An option in a question for a number.
return lesson "part-out-of-place" {
  format = 1,
  title  = "Part out of place",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    option "one" { "One", right = true }, --! option may not stand in ask.number "mean"; mistake may
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
