-- A table with more names than rows.
return lesson "table-names" {
  format = 1,
  title  = "Table names",

  step "look" {
    text = "Two numbers.",
    show = view.column {
      view.table { names = { "first", "second" }, { "1" }, { "2" } },
      view.table {
        names = { "first", "second", "third" }, --! view.table: `names` needs a text for each of the 2 entries, "" where there is none; it has 3
        { "1" },
        { "2" },
      },
    },
  },
}
