-- What a lesson changes in its tables once it has been checked changes nothing.
--> draws: as it was
local fields = { text = "as it was", knobs = { knob.int "k" { 1, 9 } } }
fields.show = function()
  for _, name in ipairs { "text", "knobs", "title", "data", "given" } do fields[name] = nil end
  fields.text, fields.knobs = {}, { 1, 2, 3 }
  return view.bars { tensor { 1, 2 } }
end
return lesson "fields" { format = 1, title = "Attack", step "s" (fields) }
