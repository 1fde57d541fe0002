--> stops
local close = setmetatable({}, { __close = function()
  while true do end -- here
end })
function layer_norm(x)
  local a <close>, b = close
  local c <close> = setmetatable({}, getmetatable(close))
  while true do end -- here
end
