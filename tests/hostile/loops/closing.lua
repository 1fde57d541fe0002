-- A variable to be closed, whose closing never ends.
--> stops
local close = setmetatable({}, { __close = function()
  while true do end -- here
end })
return lesson "closing" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function() do local c <close> = close end end }, -- here
}
