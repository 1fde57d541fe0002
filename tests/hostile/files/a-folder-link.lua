-- A folder that is a link.
--> says at a-folder-link.lua: link
return lesson "a-folder-link" { format = 1, title = "Attack", files = { "linked/passwd" }, step "s" { text = "t" } }
