-- The lines of a plot.
--> draws: as it was
local over, lines, marks = { "s", 0, 1, label = "as it was" }, nil, { { "0.5", label = "here" } }
lines = { { function() over[2], over[3], lines[1], marks[1] = nil, {}, nil, nil return 1 end, label = "a" }, { "s", label = "b" } }
return lesson "lines" { format = 1, title = "Attack", step "s" { text = "t", show = view.plot { over = over, lines = lines, marks = marks } } }
