--> stops
local list = {}
for i = 1, 60000 do list[i] = (i * 7919) % 60013 end
function layer_norm(x)
  while true do -- here
    list[1], list[30000] = list[30000], list[1] -- here
    table.sort(list, math.ult) -- here
  end
end
