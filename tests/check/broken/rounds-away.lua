-- An answer that rounds to 0.
return lesson "rounds-away" {
  format = 1,
  title  = "Rounds away",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean() / 1e6", --! the answer rounds to 0 at the places asked; ask for `digits`
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
