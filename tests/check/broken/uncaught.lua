-- A mistake that no probe catches.
return lesson "uncaught" {
  format = 1,
  title  = "Uncaught",

  ask.code "mend" {
    text     = "Mend it.",
    solution = [[
  function layer_norm(x, scale, bias, eps)
    local over = { "feature" }
    return (x - x:mean(over)) / sqrt(x:var(over) + eps) * scale + bias
  end
  ]],
    broken   = "batch",
    probes   = { "companion", "future", "value" },
    mistake "batch" { by = replace { '"feature"', '"batch"' }, say = "It averages over the batch." },
    mistake "square" { by = replace { ' + eps)', ' + 1 * eps)' }, say = "It is the same." }, --! mistake "square": its program passes every probe
    why      = "Layer norm averages over the features.",
  },
}
