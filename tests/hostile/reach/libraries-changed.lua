-- The libraries are this lesson's own; what it does to them does not reach the tutor's words.
--> draws: [1, 2]
string.format, string.rep, table.sort, table.concat, math.floor = nil, nil, nil, nil, tostring
tensor.zeros, nn.layer_norm = tostring, nil
return lesson "libraries-changed" { format = 1, title = "Attack", step "s" { text = "{x} {2.5|.2e}", data = function() return { x = tensor { 1, 2 } } end,
  show = view.bars { "x" }, knobs = { knob.int "gain" { 1, 9 } } } }
