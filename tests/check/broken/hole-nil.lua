-- A hole that comes to nothing.
return lesson "hole-nil" {
  format = 1,
  title  = "Hole nil",
  define = { nothing = function(x) end },

  ask.number "mean" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
    text   = "What is the mean of {x}?",
    answer = "x:mean()",
    mistake "sum" { by = "x:sum()", say = "That is the sum." },
    hints  = { "Add them up." },
    why    = "It is {nothing(x)}.", --! the hole {nothing(x)} comes to nothing (nil)
  },
}
