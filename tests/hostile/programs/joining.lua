--> stops
local list = {}
for i = 1, 300000 do list[i] = "x" end
function layer_norm(x)
  while true do local s = table.concat(list) end -- here
end
