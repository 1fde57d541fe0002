-- It loops once it has been called often enough.
--> typed: no
--> stops
local calls = 0
function layer_norm(x, scale, bias, eps)
  calls = calls + 1
  while calls > 5 do end -- here
  return (x - x:mean('feature')) / sqrt(x:var('feature') + eps) * scale + bias
end
