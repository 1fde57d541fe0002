-- A knob whose label leaves no room for the knob.
return lesson "label-wide" {
  format = 1,
  title  = "Label wide",

  step "turn" {
    text  = "Turn it: {k}.",
    knobs = { knob.int "k" { 1, 5, label = "how many of the samples there are" } }, --! the label of the knob `k` is wider than 19 columns
  },
}
