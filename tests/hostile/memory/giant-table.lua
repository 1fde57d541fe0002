-- A table with very many rows.
--> says: larger than a message may be
local rows = {}
for i = 1, 200000 do rows[i] = { 1, 2 } end
return lesson "giant-table" { format = 1, title = "Attack", step "s" { text = "t", show = view.table(rows) } } -- here
