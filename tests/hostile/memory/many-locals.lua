-- More registers than a function has.
--> says: too many registers
return lesson "many-locals" { format = 1, title = "Attack",
  step "s" { text = "{" .. ("{"):rep(180) .. ("1,"):rep(9000) .. ("}"):rep(180) .. "}" } } -- here
