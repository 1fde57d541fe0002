-- A chain of __call: each call goes down all of it.
--> stops
local f = tostring
for i = 1, 20000 do f = setmetatable({}, { __call = f }) end
function layer_norm(x)
  while true do f() end -- here
end
