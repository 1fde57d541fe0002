-- Tensors, kept.
--> says: more memory than it may have
return lesson "tensors" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    local t = {}
    while true do t[#t + 1] = tensor.zeros { 1000 } end -- here
  end },
}
