-- Functions, each with a variable of its own.
--> says: more memory than it may have
return lesson "closures" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    local t = {}
    while true do local x = #t; t[x + 1] = function() return x end end -- here
  end },
}
