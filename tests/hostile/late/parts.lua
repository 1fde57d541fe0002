-- A lesson that takes its own steps away, and has what they leave collected.
--> draws: as it was
local parts = { format = 1, title = "Attack" }
parts[1] = step "s" { text = "as it was {f()}" }
parts[2] = ask.number "n" { text = "t", why = "w", answer = "1", mistake "m" { by = "2", say = "no" } }
parts.define = { f = function()
  for i = 1, 2 do parts[i] = nil end
  parts.title, parts.format, parts.define = nil, nil, nil
  local kept = {}
  for i = 1, 300000 do kept[i % 100] = { i } end
  return 1
end }
return lesson "parts" (parts)
