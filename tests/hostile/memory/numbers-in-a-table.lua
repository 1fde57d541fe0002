-- A list without end.
--> says: more memory than it may have
return lesson "numbers-in-a-table" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    local t = {}
    for i = 1, math.huge do t[i] = i end -- here
  end },
}
