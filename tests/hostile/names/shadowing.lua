-- Facts called like what Lua and the tutor have.
--> says: is taken
return lesson "shadowing" { format = 1, title = "Attack", data = function() return { tensor = 1, got = 2, answer = 3, d = 4, ["end"] = 5 } end, step "s" { text = "t" } } -- here
