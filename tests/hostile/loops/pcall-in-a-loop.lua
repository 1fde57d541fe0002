-- What raises is caught, and the loop begins again.
--> stops
return lesson "pcall-in-a-loop" {
  format = 1, title = "Attack",
  step "s" { text = "{f()}" },
  define = { f = function()
    while true do pcall(function() while true do end end) end -- here
  end },
}
