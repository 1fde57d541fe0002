-- Knobs that become something else.
--> draws: as it was
local ends = { 1, 9, label = "as it was" }
local list = { knob.int "k" (ends) }
return lesson "knobs" { format = 1, title = "Attack",
  step "s" { text = "{f()}", knobs = list }, define = { f = function()
    ends[1], ends[2], ends.label, list[1] = nil, {}, 5, nil
    return 1
  end } }
