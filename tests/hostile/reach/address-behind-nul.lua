-- The same behind a zero byte.
--> says: %p
return lesson "address-behind-nul" { format = 1, title = "Attack", step "s" { text = "t", show = function()
  error(string.format("\0%p", "x")) -- here
end } }
