-- A loop of gradients.
--> stops
local w = tensor.ones { 64, 64 } while true do grad((w * w):sum("all"), { w }) end
