-- A text that prints the row that is asked for.
return lesson "text-row-given-away" {
  format = 1,
  title  = "Text row given away",

  ask.tensor "centre" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    given  = { centred = "x - x:mean()" },
    text   = "Centre {x}. It becomes {centred}.", --! prints its answer, by the hole {centred}
    answer = "centred",
    mistake "sign" { by = "-centred", say = "The other way round." },
    why    = "It is {answer}.",
  },
}
