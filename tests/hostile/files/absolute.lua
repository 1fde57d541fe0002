-- A file by its whole path.
--> says: not the name of a file below files/
return lesson "absolute" { format = 1, title = "Attack", files = { "/etc/passwd" }, step "s" { text = "t" } } -- here
