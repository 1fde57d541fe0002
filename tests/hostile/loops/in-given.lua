-- A value computed on demand.
--> stops
return lesson "in-given" {
  format = 1, title = "Attack",
  given = { a = "(function() while true do end end)()" }, -- here
  step "s" { text = "{a}" },
}
