-- A knob that starts outside its ends.
return lesson "knob-outside" {
  format = 1,
  title  = "Knob outside",

  step "turn" {
    text  = "Turn it: {k}.",
    knobs = { knob.int "k" { 1, 5, at = 9 } }, --! knob.int "k" starts outside its ends
  },
}
