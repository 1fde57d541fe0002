-- An answer that nobody can type so exactly as it is asked for.
return lesson "own-answer" {
  format = 1,
  title  = "Own answer",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean() / 3", --! `answer`: what is right, typed as it is asked for
    tolerance = 1e-12,
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
