-- The deepest stack there is, of a large stream, over and over.
--> stops
local x = tensor.ones { 64, 1024 }
return lesson "deep-stacks" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    while true do -- here
      nn.stack(x, { depth = 64, order = "post", sublayer = function(y) return y end }) -- here
    end
  end },
}
