-- A table that would like to be a tensor.
--> typed: no
--> says: returns a table
function layer_norm(x) -- here
  return setmetatable({ shape = x.shape }, { __index = x, __name = "tensor" })
end
