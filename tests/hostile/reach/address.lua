-- Where things are in memory.
--> says: %p
return lesson "address" { format = 1, title = "Attack", step "s" { text = "t", show = function()
  error(string.format("%p", {})) -- here
end } }
