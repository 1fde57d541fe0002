-- A chain of __index longer than Lua follows.
--> says: '__index' chain too long
local t = {}
for i = 1, 100000 do t = setmetatable({}, { __index = t }) end
return lesson "deep-index" { format = 1, title = "Attack", data = function()
  return { x = t.x } -- here
end, step "s" { text = "t" } }
