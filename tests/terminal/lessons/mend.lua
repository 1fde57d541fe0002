-- A lesson for the tests of editors: a program to mend, whose bug is always the same.
return lesson "mend" {
  format   = 1,
  title    = "Mending",

  ask.code "batch" {
    title    = "The batch",
    text     = "Mend `layer_norm`.",
    solution = [[
-- Normalize x (batch, token, feature).
function layer_norm(x, scale, bias, eps)
  local over = { "feature" }
  local mean = x:mean(over)
  local var  = x:var(over)
  return (x - mean) / sqrt(var + eps) * scale + bias
end
]],
    broken   = "batch",
    probes   = { "companion", "future", "alone", "value" },
    mistake "batch" { by = replace { '"feature"', '"batch"' }, say = "It averages over the batch." },
    mistake "token" { by = replace { '"feature"', '"token"' }, say = "It averages over the tokens." },
    hints    = { "Look at `over`." },
    why      = "Over features, and over nothing else.",
  },

  step "after" {
    title = "After",
    text  = "Nothing is asked here.",
  },
}
