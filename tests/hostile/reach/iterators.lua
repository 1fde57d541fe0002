-- The iterator of pairs, called with something else.
--> draws: done
local f = pairs({ a = 1 })
for _, x in ipairs { {}, 5, "x", true, f, tensor { 1 }, string } do pcall(f, x, x) end
for i = 1, 100 do pcall(f) end
pcall(pairs, setmetatable({}, { __pairs = function() error("!") end }))
pcall(pairs, { [{}] = 1 })
return lesson "iterators" { format = 1, title = "Attack", step "s" { text = "done" } }
