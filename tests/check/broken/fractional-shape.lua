-- A shape that is none.
return lesson "fractional-shape" {
  format = 1,
  title  = "Fractional shape",

  ask.shape "which" {
    text   = "Which?",
    answer = { 2.5, 1 }, --! `answer` must come to a shape
    why    = "{answer}",
  },
}
