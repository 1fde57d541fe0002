-- tensor.stack of itself.
--> says: more memory than it may have
return lesson "stacked" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    local x = tensor.ones { 1024 }
    local all = {}
    for i = 1, 4096 do all[i] = x end
    while true do x = tensor.stack(all); for i = 1, 4096 do all[i] = x end end -- here
  end },
}
