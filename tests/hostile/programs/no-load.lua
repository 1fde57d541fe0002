--> says: unknown name `load`
function layer_norm(x)
  return load("return 1") -- here
end
