-- table.concat of elements that are never there.
--> says: take a list without __len
local long = setmetatable({}, { __len = function() return 1 << 60 end, __index = function() return "" end })
return lesson "lying-length-concat" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    table.concat(long) -- here
  end },
}
