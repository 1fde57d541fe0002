-- Fields that a metatable answers for, differently each time.
--> says: title
local asked = 0
local fields = setmetatable({ format = 1, step "s" { text = "t" } }, { __index = function(_, k)
  asked = asked + 1
  if asked % 2 == 1 then return "Attack" end
end })
return lesson "metatable-fields" (fields) -- here
