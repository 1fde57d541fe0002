-- A formula that is several.
return lesson "formula-list" {
  format = 1,
  title  = "Formula list",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum" { by = "x:sum(), 2", say = "That is the sum." }, --! `by`: x:sum(), 2 holds several formulas
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
