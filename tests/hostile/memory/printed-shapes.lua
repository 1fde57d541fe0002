-- A shape that holds itself, shown.
--> draws: shape
local s = tensor.zeros { 2, 3 }.shape
for i = 1, 64 do pcall(function() s[i] = s end) end
return lesson "printed-shapes" { format = 1, title = "Attack", define = { f = function() return s end }, step "s" { text = "shape {f()}" } }
