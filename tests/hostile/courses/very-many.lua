-- A hundred thousand lessons.
--> stops
local lessons = {}
for i = 1, 100000 do lessons[i] = "l" .. i end
return course "very-many" { format = 1, title = "Attack", lessons = lessons } -- here
