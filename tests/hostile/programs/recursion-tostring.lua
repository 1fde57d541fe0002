--> says: overflow
local t = setmetatable({}, { __tostring = function(t) return tostring(t) end }) -- here
function layer_norm(x)
  return tostring(t) -- here
end
