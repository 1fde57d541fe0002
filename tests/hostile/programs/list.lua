--> says: more memory than it may have
function layer_norm(x)
  local t = {}
  for i = 1, math.huge do t[i] = i end -- here
end
