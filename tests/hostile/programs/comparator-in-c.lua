--> says: table.sort sorts no more
local list = {}
for i = 1, 200000 do list[i] = -i end
function layer_norm(x)
  while true do table.sort(list, math.ult) end -- here
end
