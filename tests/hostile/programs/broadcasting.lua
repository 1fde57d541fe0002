--> says: more memory than it may have
function layer_norm(x)
  return tensor.ones { 1, 1 << 14 } + tensor.ones { 1 << 14, 1 } -- here
end
