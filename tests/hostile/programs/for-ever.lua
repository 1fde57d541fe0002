--> stops
function layer_norm(x)
  for i = 1, math.huge do end -- here
end
