-- Large tensors, over and over.
--> stops
local big = tensor.ones { 1000, 1000 }
function layer_norm(x)
  while true do local y = big + big end -- here
end
