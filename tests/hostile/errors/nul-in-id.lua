-- A zero byte in an id.
--> says: may have only
return lesson "nul-in-id" { format = 1, title = "Attack", step "s\0/../.." { text = "t" } } -- here
