-- An answer that is no number for some of the data.
return lesson "endless" {
  format = 1,
  title  = "Endless",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 2, from = 0, to = 2 } } end,
    text   = "What is {x[1]} / {x[2]}?",
    answer = "x[1] / x[2]", --! `answer` is nan or infinite, or has such a number in it, under
    mistake "sum" { by = "x[1] + x[2] + 5", say = "That is no quotient." },
    hints  = { "Divide." },
    why    = "It is {answer}.",
  },
}
