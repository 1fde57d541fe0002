-- pairs sorts its keys: of a table with very many, over and over.
--> stops
local many = {}
for i = 1, 300000 do many["k" .. i] = i end
return lesson "sorted-pairs" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    while true do pairs(many) end -- here
  end },
}
