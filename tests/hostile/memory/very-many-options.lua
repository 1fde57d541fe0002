-- A hundred thousand options.
--> stops
local parts = { text = "t", why = "w", option "right" { "right", right = true } }
for i = 1, 100000 do parts[i + 1] = option("o" .. i) { "wrong", say = "no" } end
return lesson "very-many-options" { format = 1, title = "Attack", ask.choice "s" (parts) } -- here
