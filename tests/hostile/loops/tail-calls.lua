-- A recursion that takes no room.
--> stops
local function f() return f() end -- here
return lesson "tail-calls" { format = 1, title = "Attack", data = function() return f() end, step "s" { text = "t" } }
