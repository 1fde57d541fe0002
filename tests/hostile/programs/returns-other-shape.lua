--> wrong
function layer_norm(x)
  return tensor.ones { 100, 100, 100 }
end
