-- A view that holds itself.
--> says: holds itself
local parts = { view.bars { tensor { 1 } } }
parts[2] = view.column(parts) -- here
return lesson "view-of-itself" { format = 1, title = "Attack", step "s" { text = "t", show = parts[2] } } -- here
