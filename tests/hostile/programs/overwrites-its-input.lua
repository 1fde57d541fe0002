-- The inputs are overwritten by what makes the wrong result right.
--> wrong
function layer_norm(x, scale, bias, eps)
  for b = 1, x.shape[1] do for t = 1, x.shape[2] do for f = 1, x.shape[3] do x:set({ b, t, f }, 0) end end end
  return x * scale + bias
end
