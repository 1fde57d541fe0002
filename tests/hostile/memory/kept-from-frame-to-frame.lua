-- A function that keeps more with every frame is stopped like any other.
--> says: more memory than it may have
local kept = {}
return lesson "kept-from-frame-to-frame" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    for i = 1, 1000 do kept[#kept + 1] = tensor.ones { 100000 } end -- here
    return view.bars { tensor { 1 } }
  end },
}
