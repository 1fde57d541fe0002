-- Recursion in __eq.
--> says: overflow
local meta = {}
local function new() return setmetatable({}, meta) end
meta.__eq = function(a, b) return new() == new() end -- here
return lesson "deep-equality" { format = 1, title = "Attack", data = function() return { x = new() == new() } end, step "s" { text = "t" } } -- here
