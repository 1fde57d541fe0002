--> says: string.rep would make more than
function layer_norm(x)
  return ("x"):rep(1 << 40) -- here
end
