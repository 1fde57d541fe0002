--> says: take a list without __len
local long = setmetatable({}, { __len = function() return 1 << 60 end })
function layer_norm(x)
  table.insert(long, 1, true) -- here
end
