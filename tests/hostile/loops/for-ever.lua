-- A for loop to infinity, and one whose step is nothing much.
--> stops
return lesson "for-ever" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    for i = 1, math.huge, 1e-9 do end -- here
  end },
}
