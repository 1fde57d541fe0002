-- Recursion in Lua.
--> says: stack overflow
local function f(n) return 1 + f(n + 1) end -- here
return lesson "deep-recursion" { format = 1, title = "Attack", data = function() return { x = f(1) } end, step "s" { text = "t" } }
