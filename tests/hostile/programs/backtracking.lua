--> typed: stopped
--> says: unknown name `find`
function layer_norm(x)
  return (("a"):rep(2000):find(("a-"):rep(4) .. "b")) -- here
end
