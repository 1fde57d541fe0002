-- Two long texts, compared over and over.
--> stops
local a, b = "", ""
for i = 1, 6 do a = a .. ("x"):rep(1 << 20) end
b = a .. "y"
a = a .. "z"
function layer_norm(x)
  while true do local c = a < b or a == b end -- here
end
