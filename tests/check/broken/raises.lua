-- Data that raise an error.
return lesson "raises" {
  format = 1,
  title  = "Raises",

  step "one" {
    data = function(random) error("no numbers today") end, --! no numbers today
    text = "{x}",
  },
}
