-- Recursion in __concat.
--> says: overflow
local t = setmetatable({}, {})
getmetatable(t).__concat = function(a, b) return a .. t end -- here
return lesson "deep-concat" { format = 1, title = "Attack", data = function() return { x = t .. t } end, step "s" { text = "t" } }
