-- A hundred thousand mistakes.
--> stops
local parts = { text = "t", why = "w", answer = 1 }
for i = 1, 100000 do parts[i] = mistake("m" .. i) { by = i + 1, say = "no" } end
return lesson "very-many-mistakes" { format = 1, title = "Attack", ask.number "s" (parts) } -- here
