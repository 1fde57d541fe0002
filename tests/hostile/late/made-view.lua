-- A view made by a function, changed while it is drawn.
--> draws: as it was
return lesson "made-view" { format = 1, title = "Attack", step "s" { text = "t", show = function()
  local names = { "as it was", "b" }
  local fields = { names = names }
  fields[1] = function() names[1], names[2], fields.names, fields[1] = nil, {}, 5, nil return tensor { 1, 2 } end
  return view.bars(fields)
end } }
