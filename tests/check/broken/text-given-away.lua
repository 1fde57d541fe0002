-- A text that prints the answer.
return lesson "text-given-away" {
  format = 1,
  title  = "Text given away",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "The mean of {x} is {x:sum() / #x}. What is it?", --! the question's own `text` prints its answer, by the hole {x:sum() / #x}
    answer = "x:mean()",
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
