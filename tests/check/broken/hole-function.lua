-- A hole that shows a function.
return lesson "hole-function" {
  format = 1,
  title  = "Hole function",
  define = { half = function(x) return x / 2 end },

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}, {half}?", --! the hole {half} comes to a function, which nobody can read
    answer = "x:mean()",
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = { "Add them up." },
    why    = "It is {answer}.",
  },
}
