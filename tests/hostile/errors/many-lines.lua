-- An error of ten thousand lines.
--> says: line
return lesson "many-lines" { format = 1, title = "Attack", data = function()
  error(("line\n"):rep(10000)) -- here
end, step "s" { text = "t" } }
