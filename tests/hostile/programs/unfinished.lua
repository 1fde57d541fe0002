--> says: near
function layer_norm(x)
  return x +
end -- here
