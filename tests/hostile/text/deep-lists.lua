-- Lists in lists.
--> draws: Attack
local lines = {}
for i = 0, 700 do lines[i + 1] = (" "):rep(2 * i) .. "- item" end
return lesson "deep-lists" { format = 1, title = "Attack", step "s" { text = table.concat(lines, "\n") } }
