--> says: xxxxx
function layer_norm(x)
  error(("x"):rep(1 << 20)) -- here
end
