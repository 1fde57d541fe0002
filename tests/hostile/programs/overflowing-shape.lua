--> typed: has too many elements
--> says: too large
function layer_norm(x)
  return tensor.zeros { 1 << 32, 1 << 32 } -- here
end
