-- A lesson that stands in itself.
--> says: holds itself
local parts = { format = 1, title = "Attack", step "s" { text = "t" } }
parts[2] = lesson "itself" (parts) -- here
return parts[2]
