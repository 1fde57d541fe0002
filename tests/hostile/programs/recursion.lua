--> typed: more memory than it may have
--> says: stack overflow
function layer_norm(x)
  return 1 + layer_norm(x) -- here
end
