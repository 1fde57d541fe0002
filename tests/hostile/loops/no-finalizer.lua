-- A finalizer would loop where no hook fires.
--> says: setmetatable allows no __gc here
setmetatable({}, { __gc = function() while true do end end }) -- here
return lesson "no-finalizer" { format = 1, title = "Attack", step "s" { text = "t" } }
