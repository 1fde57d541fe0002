-- What makes no large tensor, of a large one.
--> stops
local big = tensor.ones { 2000, 2000 }
function layer_norm(x)
  while true do big:sum() end -- here
end
