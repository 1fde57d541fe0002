-- A view in a view in a view.
--> says: nested too deep
local v = view.bars { tensor { 1 } }
for i = 1, 100000 do v = i % 2 == 0 and view.row { v } or view.column { v } end -- here
return lesson "nested-views" { format = 1, title = "Attack", step "s" { text = "t", show = v } } -- here
