-- Where lines are typed into the scratchpad: a question that speaks of x, and is asked for `told`.
return lesson "typed" {
  format = 1, title = "Typed",
  data = function(random)
    return { x = random:normal { 2, 3, 4 }, secret = random:normal { 3 }, told = random:integers { 4, from = 1, to = 99, distinct = true } }
  end,
  ask.tensor "s" { text = "What follows {x} and {#told}?", answer = "told", why = "So." },
}
