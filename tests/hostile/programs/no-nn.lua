-- What is to be written is not at hand.
--> typed: no
--> says: `nn` is not at hand
function layer_norm(x, scale, bias, eps)
  return nn.layer_norm(x, { eps = eps, scale = scale, bias = bias }) -- here
end
