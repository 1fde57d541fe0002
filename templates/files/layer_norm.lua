function layer_norm(x, scale, bias, eps)
  local mean = x:mean("feature")
  local var = x:var("feature")
  return (x - mean) / sqrt(var + eps) * scale + bias
end
