-- A file above files/.
--> says: not the name of a file below files/
return lesson "leaving" { format = 1, title = "Attack", files = { "../leaving.lua" }, step "s" { text = "t" } } -- here
