--> says: more memory than it may have
function layer_norm(x)
  return tensor.zeros { 1 << 20, 1 << 12 } -- here
end
