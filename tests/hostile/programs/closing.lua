--> stops
local close = setmetatable({}, { __close = function() while true do end end }) -- here
function layer_norm(x)
  do local c <close> = close end
  return x
end
