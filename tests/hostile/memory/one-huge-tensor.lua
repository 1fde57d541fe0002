-- One tensor alone.
--> says: more memory than it may have
return lesson "one-huge-tensor" {
  format = 1, title = "Attack",
  data = function()
    return { x = tensor.ones { 1 << 20, 1 << 14 } } -- here
  end,
  step "s" { text = "t" },
}
