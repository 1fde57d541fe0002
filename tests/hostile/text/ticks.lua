-- Fences of every length, none of which is closed.
--> draws: Attack
local runs = {}
for i = 1, 900 do runs[i] = ("`"):rep(i) end
return lesson "ticks" { format = 1, title = "Attack", step "s" { text = table.concat(runs, " a ") } }
