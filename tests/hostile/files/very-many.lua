-- More files than may be.
--> says: are the most
local files = {}
for i = 1, 1000 do files[i] = "f" .. i end
return lesson "very-many" { format = 1, title = "Attack", files = files, step "s" { text = "t" } } -- here
