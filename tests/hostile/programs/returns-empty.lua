--> wrong
function layer_norm(x)
  return tensor.zeros { 0, 0 }
end
