-- A knob whose name is a path.
--> says: not a name in Lua
return lesson "knob-paths" { format = 1, title = "Attack", step "s" { text = "t", knobs = { knob.int "../../x" { 1, 9 } } } } -- here
