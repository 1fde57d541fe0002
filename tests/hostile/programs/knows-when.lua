-- Right when it is first called, wrong later: what is probed is not one call.
--> wrong
local calls = 0
function layer_norm(x, scale, bias, eps)
  calls = calls + 1
  if calls > 1 then return x end
  return (x - x:mean('feature')) / sqrt(x:var('feature') + eps) * scale + bias
end
