-- table.insert moves as many elements as the table says it has.
--> says: take a list without __len
local long = setmetatable({}, { __len = function() return 1 << 60 end })
return lesson "lying-length-insert" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    table.insert(long, 1, true) -- here
  end },
}
