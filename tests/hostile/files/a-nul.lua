-- A zero byte ends a name for some.
--> says: not the name of a file below files/
return lesson "a-nul" { format = 1, title = "Attack", files = { "good.txt\0/../../../etc/passwd" }, step "s" { text = "t" } } -- here
