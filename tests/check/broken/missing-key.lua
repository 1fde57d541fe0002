-- A question does not say why.
return lesson "missing-key" {
  format = 1,
  title  = "Missing key",

  ask.number "mean" { --! ask.number "mean" needs the field `why`
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = { "Add them up." },
  },
}
