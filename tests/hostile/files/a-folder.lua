-- A folder.
--> says at a-folder.lua: folder
return lesson "a-folder" { format = 1, title = "Attack", files = { "below" }, step "s" { text = "t" } }
