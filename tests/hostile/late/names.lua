-- The names of a view's columns become something else while the view is drawn.
--> draws: as it was
local names = { "as it was", "b", "c" }
return lesson "names" { format = 1, title = "Attack",
  define = { f = function() for i = 1, 3 do names[i] = nil end names[2] = {} return tensor { 1, 2, 3 } end },
  step "s" { text = "t", show = view.bars { "f()", names = names } } }
