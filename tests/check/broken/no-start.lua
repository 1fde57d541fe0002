-- A program that begins with nothing.
return lesson "no-start" {
  format = 1,
  title  = "No start",

  ask.code "mend" { --! needs one of `broken` and `start`
    text     = "Mend it.",
    solution = [[
  function layer_norm(x, scale, bias, eps)
    local over = { "feature" }
    return (x - x:mean(over)) / sqrt(x:var(over) + eps) * scale + bias
  end
  ]],
    probes   = { "companion", "future", "value" },
    mistake "batch" { by = replace { '"feature"', '"batch"' }, say = "It averages over the batch." },
    why      = "Layer norm averages over the features.",
  },
}
