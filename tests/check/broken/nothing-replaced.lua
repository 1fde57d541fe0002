-- A mistake that changes nothing.
return lesson "nothing-replaced" {
  format = 1,
  title  = "Nothing replaced",

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
    mistake "mean" { by = replace { 'x:men', 'x:sum' }, say = "It sums." }, --! replace: there is no x:men in the solution
    why      = "Layer norm averages over the features.",
  },
}
