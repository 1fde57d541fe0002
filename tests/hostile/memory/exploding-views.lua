-- Each view holds the one below twice.
--> stops
local v = view.bars { tensor { 1 } }
for i = 1, 28 do v = view.column { v, v } end
return lesson "exploding-views" { format = 1, title = "Attack", step "s" { text = "t", show = v } } -- here
