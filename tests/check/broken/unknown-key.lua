-- A field that there is not.
return lesson "unknown-key" {
  format = 1,
  title  = "Unknown key",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hint   = { "Add them up." }, --! has no field `hint`; did you mean `hints`?
    why    = "It is {answer}.",
  },
}
