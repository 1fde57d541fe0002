-- A sort of a long list by a comparator without an instruction of Lua in it.
--> stops
local list = {}
for i = 1, 4000000 do list[i] = i % 2 == 0 and i or -i end
return lesson "comparator-in-c" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    while true do pcall(table.sort, list, math.ult) end -- here
  end },
}
