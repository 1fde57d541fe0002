-- A __gc that the metatable's own metatable would give.
--> says: setmetatable allows no __gc here
setmetatable({}, setmetatable({}, { __index = { __gc = function() while true do end end } })) -- here
return lesson "inherited-finalizer" { format = 1, title = "Attack", step "s" { text = "t" } }
