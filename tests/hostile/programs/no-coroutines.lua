--> says: unknown name `coroutine`
function layer_norm(x)
  return coroutine.wrap(layer_norm)(x) -- here
end
