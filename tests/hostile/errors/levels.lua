-- An error that blames a level far away.
--> says: blamed
return lesson "levels" { format = 1, title = "Attack", data = function() -- here
  error("blamed", 1 << 40) -- here
end, step "s" { text = "t" } }
