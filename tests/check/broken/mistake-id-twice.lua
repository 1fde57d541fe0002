-- Two mistakes with one id.
return lesson "mistake-id-twice" {
  format = 1,
  title  = "Mistake id twice",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    mistake "sum" { by = "x[1]", say = "That is the first." }, --! the id "sum" is used twice
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
