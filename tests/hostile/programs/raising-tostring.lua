--> says: not a text
function layer_norm(x)
  error(setmetatable({}, { __tostring = function() error("worse") end })) -- here
end
