-- A table on the other side of a tensor's operator.
--> stops
local t = setmetatable({}, { __add = function(a, b) repeat until false end, __radd = 1 }) -- here
function layer_norm(x)
  return t + x
end
