-- Recursion by way of a C function.
--> says: overflow
local function f(s) return (s:gsub(".", f)) end -- here
return lesson "deep-recursion-in-c" { format = 1, title = "Attack", data = function() return { x = f("x") } end, step "s" { text = "t" } } -- here
