-- Metamethods that call each other.
--> stops
local a, b
a = setmetatable({}, { __index = function(_, k) return b[k] end, __add = function(x, y) return y + x end }) -- here
b = setmetatable({}, { __index = function(_, k)
  local ok = pcall(function() return a[k] end) -- here
  return b -- here
end })
return lesson "metamethods" {
  format = 1, title = "Attack",
  step "s" { text = "{f()}" },
  define = { f = function() repeat local x = a.b until false end }, -- here
}
