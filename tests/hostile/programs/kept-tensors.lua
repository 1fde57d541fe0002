--> says: more memory than it may have
local kept = {}
function layer_norm(x)
  while true do kept[#kept + 1] = tensor.ones { 1000 } end -- here
end
