-- A piece that there is not.
return lesson "unknown-piece" {
  format = 1,
  title  = "Unknown piece",

  ask.order "which" {
    text   = "In which order?",
    answer = { "one", "tow" }, --! `answer`: there is no piece "tow"; did you mean "two"?
    piece "one" { "One" },
    piece "two" { "Two" },
    why    = "One, two.",
  },
}
