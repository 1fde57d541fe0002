-- A link that leads out.
--> says at a-link.lua: link
return lesson "a-link" { format = 1, title = "Attack", files = { "link.txt" }, step "s" { text = "t" } }
