-- Recursion by way of a comparator.
--> says: overflow
local function f() table.sort({ 1, 2 }, f) return true end -- here
return lesson "deep-sort" { format = 1, title = "Attack", data = function() f() end, step "s" { text = "t" } } -- here
