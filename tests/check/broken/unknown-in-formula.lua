-- A name that there is not, in a formula.
return lesson "unknown-in-formula" {
  format = 1,
  title  = "Unknown in formula",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum" { by = "xx:sum()", say = "That is the sum." }, --! unknown name `xx`; did you mean `x`?
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
