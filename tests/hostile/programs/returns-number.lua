--> wrong
function layer_norm(x)
  return 0/0
end
