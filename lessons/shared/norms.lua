-- Normalizing over any axes of a tensor (batch, token, feature), the right ones and the wrong ones.

local lists = {
  feature           = { "feature" },
  token             = { "token" },
  batch             = { "batch" },
  ["token-feature"] = { "token", "feature" },
  ["batch-token"]   = { "batch", "token" },
  ["batch-feature"] = { "batch", "feature" },
  all               = { "batch", "token", "feature" },
}

-- The axes that a knob's word stands for.
local function axes_of(over)
  return lists[over]
end

-- A function that normalizes over these axes, right or wrong.
local function norm_over(over)
  local axes = axes_of(over)
  return function(x, scale, bias, eps)
    return (x - x:mean(axes)) / sqrt(x:var(axes) + eps) * scale + bias
  end
end

local function normalized(over, x)
  return norm_over(over)(x, 1, 0, 1e-5)
end

-- What becomes of the first token of the first sample.
local function first(over, x)
  return normalized(over, x)[1][1]
end

return { axes_of = axes_of, norm_over = norm_over, normalized = normalized, first = first }
