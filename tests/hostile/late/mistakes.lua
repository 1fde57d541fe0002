-- Mistakes that go away while the answer is judged.
--> answer: 3
--> draws: as it was
local fields = { text = "t", why = "w", hints = { "h" } }
fields.answer = function()
  for k in pairs(fields) do if k ~= "answer" then fields[k] = false end end
  local kept = {}
  for i = 1, 300000 do kept[i % 100] = { i } end
  return 2
end
fields[1] = mistake "m" { by = "3", say = "as it was" }
return lesson "mistakes" { format = 1, title = "Attack", ask.number "s" (fields) }
