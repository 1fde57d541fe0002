-- A name of a megabyte that nobody knows.
--> says: unknown
return lesson "giant-name" { format = 1, title = "Attack", data = function()
  return string[("x"):rep(1 << 20)] -- here
end, step "s" { text = "t" } }
