-- A chain of __call.
--> stops
local t = tostring
for i = 1, 100000 do t = setmetatable({}, { __call = t }) end
return lesson "deep-call" { format = 1, title = "Attack", data = function()
  return t() -- here
end, step "s" { text = "t" } }
