-- A cursor that begins beyond the end of its axis.
return lesson "cursor-beyond" {
  format = 1,
  title  = "Cursor beyond",

  step "look" {
    data   = function(random) return { x = random:integers { 4, from = 1, to = 9 } } end,
    text   = "Four numbers, {x}.",
    show   = view.bars { "x" },
    cursor = { feature = 5 }, --! step "look": `cursor`: feature = 5 is beyond the 4 that its view has
  },
}
