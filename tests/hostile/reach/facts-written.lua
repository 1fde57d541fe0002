-- The facts, written by a function.
--> says: read-only
return lesson "facts-written" { format = 1, title = "Attack", data = function() return { x = tensor { 1, 2 } } end,
  step "s" { text = "t", show = function(d)
    d.x = 5 -- here
  end } }
