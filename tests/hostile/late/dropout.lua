-- The numbers of a dropout, taken away by the sublayer.
--> draws: done
return lesson "dropout" { format = 1, title = "Attack", data = function(random)
  local dropout = { rate = 0.5, random = random:uniform { 8, 2, 64 } }
  local options
  options = { depth = 8, order = "pre", dropout = dropout, sublayer = function(x)
    dropout.random, options.dropout = nil, nil
    local kept = {}
    for i = 1, 20000 do kept[i % 10] = tensor.ones { 2, 64 } end
    return x
  end }
  nn.stack(tensor.ones { 2, 64 }, options)
  return {}
end, step "s" { text = "done" } }
