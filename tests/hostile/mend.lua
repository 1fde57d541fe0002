-- What the programs of programs/ are answers to.
return lesson "mend" {
  format = 1, title = "Mending",
  ask.code "s" {
    text     = "Mend it.",
    solution = "function layer_norm(x, scale, bias, eps)\n  return (x - x:mean('feature')) / sqrt(x:var('feature') + eps) * scale + bias\nend\n",
    start    = "function layer_norm(x, scale, bias, eps)\n  return x\nend\n",
    probes   = { "companion", "future", "alone", "value" },
    why      = "So.",
  },
}
