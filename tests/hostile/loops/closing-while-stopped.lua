-- The loop is stopped; what is to be closed on the way out loops in its turn, and catches what is raised.
--> stops
local close = setmetatable({}, { __close = function()
  for i = 1, 100 do pcall(function() while true do end end) end -- here
end })
return lesson "closing-while-stopped" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    while true do -- here
      pcall(function() local a <close>, b = close; while true do end end) -- here
    end -- here
  end },
}
