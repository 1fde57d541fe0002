-- Layer norms and what goes wrong in them, a function each that makes a fresh one: some keep what they have seen.
local function over(axes)
  return function(x, scale, bias, eps)
    return (x - x:mean(axes)) / sqrt(x:var(axes) + eps) * scale + bias
  end
end

-- Row by row, in plain numbers: row(sample, token, put, width) puts feature by feature.
local function each(x, row)
  local samples, shape = {}, x.shape
  for b = 1, shape[1] do
    local sample, made = {}, {}
    for t = 1, shape[2] do
      sample[t], made[t] = {}, {}
      for f = 1, shape[3] do sample[t][f] = x:at(b, t, f) end
      row(sample, t, function(f, v) made[t][f] = v end, shape[3])
    end
    samples[b] = made
  end
  return tensor(samples)
end

-- Mean and 1/deviation of n numbers.
local function statistics(n, at, eps)
  local sum, squares = 0, 0
  for i = 1, n do sum = sum + at(i) end
  for i = 1, n do squares = squares + (at(i) - sum / n)^2 end
  return sum / n, 1 / math.sqrt(squares / n + eps)
end

-- Rounded to float16.
local function half(v)
  if v == 0 or v ~= v or math.abs(v) == math.huge then return v end
  local unit = 2.0 ^ (math.max(math.floor(math.log(math.abs(v), 2)), -14) - 10)
  local steps = v / unit
  local down = math.floor(steps)
  local up = steps - down > .5 or (steps - down == .5 and down % 2 == 1)
  local r = (down + (up and 1 or 0)) * unit
  return math.abs(r) > 65504 and (r > 0 and math.huge or -math.huge) or r
end

local right = over("feature")
local make = {}

function make.right() return right end

-- A to E: the wrong axes.
function make.A() return over("batch") end
function make.B() return over("token") end
function make.C() return over { "batch", "token" } end
function make.D() return over { "token", "feature" } end
function make.E() return over { "batch", "token", "feature" } end

-- n - 1.
function make.F()
  return function(x, scale, bias, eps)
    return (x - x:mean("feature")) / sqrt(x:var("feature", { unbiased = true }) + eps) * scale + bias
  end
end

-- eps outside the root.
function make.G()
  return function(x, scale, bias, eps)
    return (x - x:mean("feature")) / (sqrt(x:var("feature")) + eps) * scale + bias
  end
end

-- No eps.
function make.H()
  return function(x, scale, bias)
    return (x - x:mean("feature")) / sqrt(x:var("feature")) * scale + bias
  end
end

-- No root.
function make.I()
  return function(x, scale, bias, eps)
    return (x - x:mean("feature")) / (x:var("feature") + eps) * scale + bias
  end
end

-- No centring.
function make.J()
  return function(x, scale, bias, eps)
    return x / sqrt((x * x):mean("feature") + eps) * scale + bias
  end
end

-- Scale before the norm.
function make.K()
  return function(x, scale, bias, eps)
    local z = x * scale
    return (z - z:mean("feature")) / sqrt(z:var("feature") + eps) + bias
  end
end

-- Bias scaled too.
function make.L()
  return function(x, scale, bias, eps)
    return ((x - x:mean("feature")) / sqrt(x:var("feature") + eps) + bias) * scale
  end
end

-- Scale and bias on the token axis.
function make.M()
  return function(x, scale, bias, eps)
    local s, b = tensor.zeros { 1, #scale, 1 }, tensor.zeros { 1, #bias, 1 }
    for i = 1, #scale do
      s:set({ 1, i, 1 }, scale[i])
      b:set({ 1, i, 1 }, bias[i])
    end
    return (x - x:mean("feature")) / sqrt(x:var("feature") + eps) * s + b
  end
end

-- Running statistics, of a fresh module: mean 0 and variance 1.
function make.N()
  return function(x, scale, bias, eps) return x / math.sqrt(1 + eps) * scale + bias end
end

-- Writes into its input.
function make.O()
  return function(x, scale, bias, eps)
    local y = right(x, scale, bias, eps)
    for b = 1, #x do x:set({ b }, y[b]) end
    return y
  end
end

-- Sums in float16.
function make.P()
  return function(x, scale, bias, eps)
    return each(x, function(sample, t, put, n)
      local sum, squares = 0, 0
      for f = 1, n do sum = half(sum + half(sample[t][f])) end
      local mean = half(sum / n)
      for f = 1, n do
        local d = half(sample[t][f] - mean)
        squares = half(squares + half(d * d))
      end
      for f = 1, n do put(f, half(sample[t][f] - mean) / math.sqrt(half(squares / n) + eps)) end
    end) * scale + bias
  end
end

-- One pass in float32.
function make.Q()
  return function(x, scale, bias, eps)
    local mean = x:mean("feature")
    return (x - mean) / sqrt((x * x):mean("feature") - mean * mean + eps) * scale + bias
  end
end

-- Cumulative over tokens.
function make.R()
  return function(x, scale, bias, eps)
    return each(x, function(sample, t, put, n)
      local mean, rstd = statistics(t * n, function(i) return sample[(i - 1) // n + 1][(i - 1) % n + 1] end, eps)
      for f = 1, n do put(f, (sample[t][f] - mean) * rstd) end
    end) * scale + bias
  end
end

-- Two groups of features.
function make.S()
  return function(x, scale, bias, eps)
    return each(x, function(sample, t, put, n)
      local first = n // 2
      for _, group in ipairs { { 0, first }, { first, n - first } } do
        local mean, rstd = statistics(group[2], function(i) return sample[t][group[1] + i] end, eps)
        for f = group[1] + 1, group[1] + group[2] do put(f, (sample[t][f] - mean) * rstd) end
      end
    end) * scale + bias
  end
end

-- Statistics kept from the first call.
function make.T()
  local mean, var
  return function(x, scale, bias, eps)
    if not mean then mean, var = x:mean("feature"), x:var("feature") end
    return (x - mean) / sqrt(var + eps) * scale + bias
  end
end

-- Another eps.
function make.U()
  return function(x, scale, bias) return right(x, scale, bias, 1e-3) end
end

-- Mean over features, variance over the batch.
function make.V()
  return function(x, scale, bias, eps)
    return (x - x:mean("feature")) / sqrt(x:var("batch") + eps) * scale + bias
  end
end

-- Leaks that no average makes: token 2 alone sees one feature of the token after it; …
function make.only_one()
  return function(x, scale, bias, eps)
    local y = right(x, scale, bias, eps)
    for b = 1, #x do y:set({ b, 2, 4 }, y[b][2][4] + x[b][3][2]) end
    return y
  end
end

-- … each token takes in the one before, feature by feature.
function make.carried()
  return function(x, scale, bias, eps)
    local y, z = right(x, scale, bias, eps), tensor.zeros(x.shape)
    for b = 1, #x do
      for t = 1, #x[1] do
        for f = 1, #scale do z:set({ b, t, f }, y[b][t][f] + (t > 1 and x[b][t - 1][f] or 0)) end
      end
    end
    return z
  end
end

return make
