-- A cursor on an axis that the view has not.
return lesson "cursor-axis" {
  format = 1,
  title  = "Cursor axis",

  step "look" {
    data   = function(random) return { x = random:integers { 4, from = 1, to = 9 } } end,
    text   = "Four numbers, {x}.",
    show   = view.bars { "x" },
    cursor = { token = 2 }, --! step "look": `cursor`: no mark goes along `token` in its view
  },
}
