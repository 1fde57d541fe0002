-- A fact's tensor, written in place.
--> says: cannot be changed
return lesson "tensor-written" { format = 1, title = "Attack", data = function() return { x = tensor { 1, 2 } } end,
  step "s" { text = "t", show = function(d)
    d.x:set({ 1 }, 5) -- here
  end } }
