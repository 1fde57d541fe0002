-- A result whose __tostring never comes to an end.
--> stops
setmetatable({}, { __tostring = function() while true do end end })
