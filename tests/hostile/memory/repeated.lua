-- string.rep, straight and by way of a text's own metatable.
--> says: string.rep would make more than 1048576 bytes
pcall(string.rep, "x", 1 << 40)
pcall(string.rep, "", 1 << 40, "y")
return lesson "repeated" { format = 1, title = "Attack", data = function()
  return { x = (""):rep(1 << 40) } -- here
end, step "s" { text = "t" } }
