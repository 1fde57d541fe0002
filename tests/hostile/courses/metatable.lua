-- A list that a metatable answers for.
--> says: lists none
return course "metatable" { format = 1, title = "Attack", lessons = setmetatable({}, { __len = function() return 1 << 60 end, __index = function() return "good" end }) } -- here
