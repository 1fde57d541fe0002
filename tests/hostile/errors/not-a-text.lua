-- What is raised is a table.
--> says: not a text
return lesson "not-a-text" { format = 1, title = "Attack", data = function() -- here
  error({})
end, step "s" { text = "t" } }
