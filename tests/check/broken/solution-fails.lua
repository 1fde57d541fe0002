-- A solution that is wrong.
return lesson "solution-fails" {
  format = 1,
  title  = "Solution fails",

  ask.code "mend" {
    text     = "Mend it.",
    solution = [[ --! the solution fails the probe `value`
  function layer_norm(x, scale, bias, eps)
    local over = { "token" }
    return (x - x:mean(over)) / sqrt(x:var(over) + eps) * scale + bias
  end
  ]],
    broken   = "batch",
    reference = function(d) return function(x, scale, bias, eps) return (nn.layer_norm(x)) * scale + bias end end,
    probes   = { "companion", "value" },
    mistake "batch" { by = replace { '"token"', '"batch"' }, say = "It averages over the batch." },
    why      = "Layer norm averages over the features.",
  },
}
