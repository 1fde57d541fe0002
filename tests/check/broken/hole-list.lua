-- A hole that holds a list, of which Lua takes the first.
return lesson "hole-list" {
  format = 1,
  title  = "Hole list",

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = { "{#x} numbers: {{1, 2}}.", "A set is {x[1], x[2]}." }, --! `hints.2`: the hole {x[1], x[2]} holds a list
    why    = "It is {answer}.",
  },
}
