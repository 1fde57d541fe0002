-- A text that prints fewer digits than the answer is computed from.
return lesson "rounded" {
  format = 1,
  title  = "Rounded",

  ask.number "mean" {
    data   = function(random) return { x = random:normal { 4, mean = 0, std = 3 } } end,
    text   = "What is the mean of {x|1}?", --! `text` prints {x} with fewer digits than the answer is computed from
    answer = "x:mean()",
    why    = "It is {answer}.",
  },
}
