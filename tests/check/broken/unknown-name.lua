-- A name that there is not.
return lesson "unknown-name" {
  format = 1,
  title  = "Unknown name",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = { "Add them up: {y}." }, --! unknown name `y`
    why    = "It is {answer}.",
  },
}
