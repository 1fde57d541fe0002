-- Nothing is wrong with this one.
--> right
function layer_norm(x, scale, bias, eps)
  return (x - x:mean('feature')) / sqrt(x:var('feature') + eps) * scale + bias
end
