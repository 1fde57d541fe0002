-- Its error says that it comes from a line that there is not.
--> says at none: not here
function layer_norm(x)
  error("layer_norm.lua:999999999999: not here", 0) -- here
end
