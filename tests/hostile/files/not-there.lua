-- A file that is not there.
--> says at not-there.lua: no such file
return lesson "not-there" { format = 1, title = "Attack", files = { "gone.txt" }, step "s" { text = "t" } }
