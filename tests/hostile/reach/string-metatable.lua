-- The metatable of all texts.
--> says: index a boolean value
getmetatable("").__index = nil -- here
