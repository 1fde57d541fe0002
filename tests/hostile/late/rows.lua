-- A table whose rows go away while they are counted.
--> draws: 7
local rows
rows = { { function() for i = 1, 4 do rows[i] = nil end return 7 end, "2" }, { "3", "4" }, { "5", "6" }, head = { "a", "b" } }
return lesson "rows" { format = 1, title = "Attack", step "s" { text = "t", show = view.table(rows) } }
