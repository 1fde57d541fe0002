-- Data that never come.
return lesson "loop" {
  format = 1,
  title  = "Loop",

  step "one" {
    data = function(random) while true do end end, --! this takes too long and was stopped
    text = "{x}",
  },
  step "two" { text = "Two." },
}
