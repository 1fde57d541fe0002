--> says: setmetatable allows no __gc here
setmetatable({}, { __gc = function() while true do end end })
