-- Two mistakes whose programs behave alike.
return lesson "programs-alike" {
  format = 1,
  title  = "Programs alike",

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
    mistake "again" { by = replace { '{ "feature" }', '"batch"' }, say = "It averages over the batch." }, --! mistake "again": no probe tells its program from that of "batch"
    why      = "Layer norm averages over the features.",
  },
}
