-- Ten thousand knobs.
--> stops
local knobs = {}
for i = 1, 10000 do knobs[i] = knob.int("k" .. i) { 1, 9 } end
return lesson "very-many-knobs" { format = 1, title = "Attack", step "s" { text = "t", knobs = knobs } } -- here
