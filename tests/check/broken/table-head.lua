-- A table with fewer words above than columns.
return lesson "table-head" {
  format = 1,
  title  = "Table head",

  step "look" {
    text = "Three numbers, two of them twice.",
    show = view.table {
      names = { "first", "second" },
      head  = { "one", "two" }, --! view.table: `head` needs a text for each of the 3 columns, "" where there is none; it has 2
      { "1", "2" },
      { "1", "2", "3" },
    },
  },
}
