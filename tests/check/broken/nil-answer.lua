-- The answer comes to nothing.
return lesson "nil-answer" {
  format = 1,
  title  = "Nil answer",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = function(d) end, --! `answer` must come to a number or a tensor
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
