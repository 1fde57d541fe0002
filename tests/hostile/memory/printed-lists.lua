-- A list that holds itself, shown.
--> draws: list
local t = {}
for i = 1, 64 do t[i] = t end
return lesson "printed-lists" { format = 1, title = "Attack", define = { f = function() return t end }, step "s" { text = "list {f()}" } }
