-- A knob whose ends fall.
return lesson "knob-falls" {
  format = 1,
  title  = "Knob falls",

  step "turn" {
    text  = "Turn it: {k}.",
    knobs = { knob.int "k" { 5, 1 } }, --! knob.int "k" needs two numbers, the second larger
  },
}
