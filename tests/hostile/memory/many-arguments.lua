-- A call with as many arguments as the stack holds.
--> draws: done
local t = {}
for i = 1, 900000 do t[i] = "1" end
for _, f in ipairs { string.char, math.max, select, table.pack, string.format, utf8.char, error, tensor.stack, nn.layer_norm, knob.int, step, view.bars, use } do
  pcall(f, table.unpack(t))
end
return lesson "many-arguments" { format = 1, title = "Attack", step "s" { text = "done" } }
