-- Recursion in __tostring.
--> says: overflow
local t = setmetatable({}, { __tostring = function(t) return tostring(t) end }) -- here
return lesson "deep-tostring" { format = 1, title = "Attack", define = { f = function() return t end }, step "s" { text = "{f()}" } } -- here
