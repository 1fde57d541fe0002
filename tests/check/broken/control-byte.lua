-- A byte that would steer the terminal.
return lesson "control-byte" {
  format = 1,
  title  = "Control byte",

  step "look" {
    text = "This is \27[31mred.", --! `text` holds a byte that is no letter (0x1b)
  },
}
