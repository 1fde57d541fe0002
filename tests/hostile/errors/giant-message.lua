-- An error of two megabytes.
--> says: xxxxxxxx
return lesson "giant-message" { format = 1, title = "Attack", data = function()
  error(("x"):rep(1 << 20) .. ("y"):rep(1 << 20)) -- here
end, step "s" { text = "t" } }
