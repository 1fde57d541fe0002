-- table.remove too.
--> says: take a list without __len
local long = setmetatable({}, { __len = function() return 1 << 60 end, __index = type, __newindex = rawequal })
return lesson "lying-length-remove" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    table.remove(long, 1) -- here
  end },
}
