-- A column that loses its views.
--> draws: 5
local column
column = { view.bars { function() column[1], column[2] = nil, nil return tensor { 5, 6 } end }, view.bars { tensor { 1, 2 } } }
return lesson "columns" { format = 1, title = "Attack", step "s" { text = "t", show = view.column(column) } }
