-- A formula's environment cannot be written.
--> says: read-only
return lesson "formula-environment" { format = 1, title = "Attack", given = { x = "1" },
  step "s" { text = "{(function() x = 5 return x end)()}" } } -- here
