-- A lesson whose id is a path.
--> says: may have only
return lesson "../../evil" { format = 1, title = "Attack", step "s" { text = "t" } } -- here
