--> says: take a list without __index
local long = setmetatable({}, { __index = setmetatable({}, { __index = rawlen }) })
function layer_norm(x)
  table.concat(long, "", 1, 1 << 60) -- here
end
