--> typed: C stack overflow
--> says: unknown name `gsub`
function layer_norm(x)
  return (("a"):rep(2000):gsub(".", layer_norm)) -- here
end
