-- Sizes whose product is small again once it has overflown.
--> draws: all refused
local shapes = { { 1 << 32, 1 << 32 }, { 1 << 62, 4 }, { 1 << 62, 2 }, { 1 << 61, 8, 1 }, { (1 << 32) + 1, (1 << 32) - 1 }, { math.maxinteger },
                 { math.maxinteger, math.maxinteger }, { 0xFFFFFFFF, 0xFFFFFFFF, 4 }, { -1, -1 }, { math.mininteger } }
for i, shape in ipairs(shapes) do
  for _, make in ipairs { tensor.zeros, tensor.ones, function(s) return tensor.full(s, 1) end } do
    assert(not pcall(make, shape) or shape[1] == 1, i)
  end
end
return lesson "overflowing-shapes" { format = 1, title = "Attack", step "s" { text = "all refused" } }
