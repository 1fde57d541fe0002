-- Deep stacks of random feed-forward networks, each as wide within as its row.

local function weights(random, out, inputs, count)
  return random:normal { count or 1, out, inputs, std = 1 / sqrt(inputs) }
end

-- The weights of a stack, and a row of variance 1 for it.
local function net(random, depth, width)
  return {
    x = (nn.layer_norm(random:normal { width })), up = weights(random, width, width, depth), down = weights(random, width, width, depth),
  }
end

local function feed_forward(x, up, down)
  return nn.linear(nn.relu(nn.linear(x, up)), down)
end

-- What a layer of the stack makes of a row.
local function sublayer(net)
  return function(x, layer) return feed_forward(x, net.up[layer], net.down[layer]) end
end

-- Of a list that begins with layer 0: the number of a layer, and between two layers what is on the line between theirs.
local function between(list, layer)
  local below, above = list[math.floor(layer) + 1], list[math.ceil(layer) + 1]
  return below + (layer % 1) * (above - below)
end

local function variances(rows)
  local all = {}
  for i, row in ipairs(rows) do
    all[i] = row:var()
  end
  return all
end

local function likeness(a, b)
  a, b = a / a:std(), b / b:std() -- the squares of very small numbers would be lost in float32
  return (a * b):sum() / sqrt((a * a):sum() * (b * b):sum())
end

return {
  weights = weights, net = net, feed_forward = feed_forward, sublayer = sublayer, between = between, variances = variances,
  likeness = likeness,
}
