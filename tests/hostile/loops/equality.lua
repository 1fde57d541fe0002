-- == that compares for ever.
--> stops
local meta = { __eq = function(a, b) return a == b end, __lt = function(a, b) return a < b end, __concat = function(a, b) return a .. b end } -- here
local a, b = setmetatable({}, meta), setmetatable({}, meta)
return lesson "equality" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    while true do -- here
      pcall(function() return a == b end) -- here
      pcall(function() return a < b end) -- here
      pcall(function() return a .. b end) -- here
    end
  end },
}
