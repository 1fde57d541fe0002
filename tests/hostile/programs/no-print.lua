--> typed: no
--> says: shows nothing in a program
function layer_norm(x)
  print(x) -- here
  return x
end
