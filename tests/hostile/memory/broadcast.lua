-- A row against a column.
--> says: more memory than it may have
return lesson "broadcast" {
  format = 1, title = "Attack",
  step "s" { text = "{(row + column):sum()}" }, -- here
  data = function()
    return { row = tensor.ones { 1, 1 << 16 }, column = tensor.ones { 1 << 16, 1 } }
  end,
}
