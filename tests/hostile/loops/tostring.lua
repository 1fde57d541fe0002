-- A text that takes for ever.
--> stops
return lesson "tostring" {
  format = 1, title = "Attack",
  define = { f = function() return setmetatable({}, { __tostring = function() while true do end end }) end }, -- here
  step "s" { text = "{f()}" },
}
