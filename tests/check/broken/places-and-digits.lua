-- Precision said twice.
return lesson "places-and-digits" {
  format = 1,
  title  = "Places and digits",

  ask.number "mean" { --! has more than one of places, digits and tolerance
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    places = 2,
    digits = 3,
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
