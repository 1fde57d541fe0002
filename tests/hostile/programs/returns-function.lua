--> typed: no
--> says: returns a function
function layer_norm(x) -- here
  return layer_norm
end
