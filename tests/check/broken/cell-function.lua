-- A view that holds more than plain data.
return lesson "cell-function" {
  format = 1,
  title  = "Cell function",

  step "look" {
    text = "Look.",
    show = view.table { { "1", "sqrt" } }, --! view.table: row 1, column 2 comes to a function, which nobody can read
  },
}
