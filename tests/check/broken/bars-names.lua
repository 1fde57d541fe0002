-- Names for some of the numbers.
return lesson "bars-names" {
  format = 1,
  title  = "Bars names",

  step "look" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9 } } end,
    text = "Four numbers, {x}.",
    show = view.bars {
      "x",
      names = { "one", "two", "three" }, --! view.bars: `names` has 3 for 4 to be named
    },
  },
}
