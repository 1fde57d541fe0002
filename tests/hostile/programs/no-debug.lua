--> says: unknown name `debug`
function layer_norm(x)
  return debug.getregistry() -- here
end
