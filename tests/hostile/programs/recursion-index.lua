--> says: overflow
local t = setmetatable({}, { __index = function(t, k) return t[k .. "x"] end }) -- here
function layer_norm(x)
  return t.a -- here
end
