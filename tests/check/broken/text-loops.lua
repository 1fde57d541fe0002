-- A step that never ends; the other is tried all the same.
return lesson "text-loops" {
  format = 1,
  title  = "Text loops",
  define = { forever = function() while true do end end }, --! this takes too long and was stopped

  step "one" { text = "{forever()}" },
  step "two" { text = "Two." },
}
