-- Methods of one thing, called on another.
--> draws: done
local x, random = tensor { 1, 2 }, nil
local things = { 1, "a", {}, true, pcall, x, x.shape, step "a" { text = "t" }, knob.int "k" { 1, 2 }, string, false }
local methods = { x.sum, x.mean, x.var, x.with, x.at, x.set, x.min, x.max, x.std, string.rep, string.format, table.concat, nn.rms_norm, nn.stack, nn.dropout,
                  tensor.broadcast, tensor.stack, tensor.full, tostring, setmetatable, getmetatable, ipairs, select, rawlen, sqrt, exp, log, abs, min, max }
for _, m in ipairs(methods) do
  for _, a in ipairs(things) do
    for _, b in ipairs(things) do pcall(m, a, b) pcall(m, a, b, a) end
    pcall(m, a)
  end
  pcall(m)
end
return lesson "methods-of-others" { format = 1, title = "Attack",
  data = function(r)
    for _, m in ipairs { r.normal, r.uniform, r.integers, r.integer, r.pick, r.shuffle } do
      for _, a in ipairs(things) do pcall(m, a, a) pcall(m, r, a) pcall(m, r, a, a) end
    end
    return {}
  end,
  step "s" { text = "done" } }
