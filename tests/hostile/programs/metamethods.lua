--> stops
local t = setmetatable({}, { __index = function(t, k) repeat until false end, __add = function(a, b) repeat until false end }) -- here
function layer_norm(x)
  return x + t.a
end
