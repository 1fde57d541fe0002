-- A hundred thousand steps.
--> stops
local parts = { format = 1, title = "Attack" }
for i = 1, 100000 do parts[i] = step("s" .. i) { text = "t" } end
return lesson "very-many-steps" (parts) -- here
