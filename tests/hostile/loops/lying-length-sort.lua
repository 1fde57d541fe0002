-- table.sort of a list that says it is long.
--> says: take a list without __len
local long = setmetatable({}, { __len = function() return (1 << 31) - 2 end, __index = rawlen, __newindex = rawequal })
return lesson "lying-length-sort" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    table.sort(long, rawequal) -- here
  end },
}
