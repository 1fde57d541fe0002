--> says: more memory than it may have
local close = setmetatable({}, { __close = function() local t = {} while true do t = { t } end end }) -- here
function layer_norm(x)
  local c <close> = close
  local t = {}
  while true do t = { t } end -- here
end
