--> says: unknown name `module`
function layer_norm(x)
  return module(x) -- here
end
