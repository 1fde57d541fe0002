--> stops
local format, numbers = ("%99.99f"):rep(200), {}
for i = 1, 200 do numbers[i] = 1e308 end
function layer_norm(x)
  while true do string.format(format, table.unpack(numbers)) end -- here
end
