-- table.unpack of more than the stack holds.
--> says: take a list without __len
return lesson "lying-length-unpack" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    return table.unpack(setmetatable({}, { __len = function() return 1 << 60 end })) -- here
  end },
}
