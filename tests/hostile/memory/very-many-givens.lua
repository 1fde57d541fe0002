-- Fifty thousand values, each of which needs the one before.
--> says: C stack overflow
local given = { a0 = "1" }
for i = 1, 50000 do given["a" .. i] = "a" .. i - 1 .. " + 1" end
return lesson "very-many-givens" { format = 1, title = "Attack", given = given, step "s" { text = "{a50000}" } } -- here
