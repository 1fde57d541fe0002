-- Arithmetic on tensors as large as may be, over and over.
--> stops
local x = tensor.ones { 4096, 4096 }
return lesson "tensors" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    while true do local y = x + x end -- here
  end },
}
