-- A message handler that loops: there is no xpcall.
--> says: unknown name `xpcall`
return lesson "no-xpcall" {
  format = 1, title = "Attack",
  data = function()
    xpcall(error, function() while true do end end) -- here
  end,
  step "s" { text = "t" },
}
