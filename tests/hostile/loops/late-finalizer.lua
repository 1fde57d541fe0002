-- Lua looks for __gc when the metatable is set; one that comes later never runs.
--> draws: done
local meta = {}
for i = 1, 1000 do setmetatable({}, meta) end
meta.__gc = function() while true do end end
for i = 1, 1000 do setmetatable({}, setmetatable({}, { __index = { __gc = 1 } }) and nil) end
local kept = {}
for i = 1, 100000 do kept[i % 10] = { i } end
return lesson "late-finalizer" { format = 1, title = "Attack", step "s" { text = "done" } }
