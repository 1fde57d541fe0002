--> stops
local many = {}
for i = 1, 100000 do many["k" .. i] = i end
function layer_norm(x)
  while true do pairs(many) end -- here
end
