-- A text that cannot be filled where the cursor can go.
return lesson "cursor-end" {
  format = 1,
  title  = "Cursor end",

  step "look" {
    data = function(random) return { x = random:integers { 2, 5, from = 1, to = 9 }, names = { "one" } } end,
    text = "You look at {names[cursor.token]}.", --! the hole {names[cursor.token]} comes to nothing (nil): every hole needs a value (with the cursor at the far end)
    show = view.tokens { "x" },
  },
}
