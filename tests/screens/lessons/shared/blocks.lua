-- A norm, the blocks around a sublayer, and two sublayers that can be done by hand.
local blocks = {}

function blocks.norm(x)
  return (nn.layer_norm(x, { eps = 1e-5 }))
end

function blocks.post(x, sublayer)
  return blocks.norm(x + sublayer(x))
end

function blocks.pre(x, sublayer)
  return x + sublayer(blocks.norm(x))
end

-- Sums and differences of neighbours.
function blocks.F(h)
  return tensor { h[1] + h[2], h[1] - h[2], h[3] + h[4], h[3] - h[4] }
end

-- The same number for every feature, whatever is read.
function blocks.constant(c)
  return function(h) return 0 * h + c end
end

return blocks
