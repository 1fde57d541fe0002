--> typed: no
--> says: returns a string
function layer_norm(x) -- here
  return "right"
end
