-- A result whose __tostring raises.
--> says: no words for it
setmetatable({}, { __tostring = function() error("no words for it") end })
