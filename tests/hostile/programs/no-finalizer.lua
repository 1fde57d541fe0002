--> says: setmetatable allows no __gc here
function layer_norm(x)
  setmetatable({}, { __gc = function() while true do end end }) -- here
end
