-- A table that grows when it is read.
--> says: more memory than it may have
local t = setmetatable({}, { __index = function(t, k) t[k] = { k }; return t[k + 1] end }) -- here
return lesson "upvalue-metatable" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    local all = {}
    while true do pcall(function() return t[#all * 200] end) all[#all + 1] = true end -- here
  end },
}
