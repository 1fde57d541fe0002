-- A layer of a stack that never returns.
--> stops
return lesson "in-a-sublayer" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    return view.stack { nn.stack(tensor.ones { 2, 3 }, { depth = 64, order = "pre", sublayer = function(x) while true do end end }) } -- here
  end },
}
