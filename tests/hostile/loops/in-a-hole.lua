-- A loop in the words.
--> stops
return lesson "in-a-hole" {
  format = 1, title = "Attack",
  step "s" { text = "{(function() while true do end end)()}" }, -- here
}
