--> says: unknown name `use`
function layer_norm(x)
  return use "norms" -- here
end
