--> stops
local list = {}
for i = 1, 600000 do list[i] = i end
function layer_norm(x)
  while true do table.insert(list, 1, 0) table.remove(list, 1) end -- here
end
