-- A step whose id is a path.
--> says: may have only
return lesson "step-paths" { format = 1, title = "Attack", step "../../evil" { text = "t" } } -- here
