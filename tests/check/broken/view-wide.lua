-- A table that 80 columns have no room for.
return lesson "view-wide" {
  format = 1,
  title  = "View wide",

  step "look" {
    text = "Look.",
    show = view.table { --! view.table is wider than the columns that it has at 80x24
      head = { "the first of all the numbers", "the second of all the numbers", "the third of all the numbers" },
      { "1", "2", "3" },
    },
  },
}
