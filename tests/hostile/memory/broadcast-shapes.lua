-- Shapes that fit each other, and whose product is no number.
--> draws: error
local long = {}
for i = 1, 8 do long[i] = i % 2 == 0 and 1 or math.maxinteger end
local other = {}
for i = 1, 8 do other[i] = i % 2 == 0 and math.maxinteger or 1 end
return lesson "broadcast-shapes" { format = 1, title = "Attack",
  define = { f = function() local ok, shape = pcall(tensor.broadcast, long, other); return ok and "shape" or "error" end },
  step "s" { text = "error {f()}" } }
