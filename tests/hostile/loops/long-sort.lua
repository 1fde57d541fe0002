-- A sort without a comparator, over and over.
--> says: table.sort sorts no more
local list = {}
for i = 1, 3000000 do list[i] = (i * 7919) % 1000003 end
return lesson "long-sort" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    while true do -- here
      list[1] = list[1] + 1 -- here
      table.sort(list) -- here
    end
  end },
}
