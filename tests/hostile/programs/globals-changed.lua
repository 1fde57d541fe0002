-- The tensor's functions are this program's own.
--> right
tensor.zeros, tensor.ones, math.floor, table.sort, string.format = nil, nil, nil, nil, nil
tostring, pairs, ipairs, error, setmetatable = nil, nil, nil, nil, nil
function layer_norm(x, scale, bias, eps)
  return (x - x:mean('feature')) / sqrt(x:var('feature') + eps) * scale + bias
end
