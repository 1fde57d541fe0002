-- A comparator that raises, and one that contradicts itself.
--> says: contradiction
return lesson "in-the-comparator" { format = 1, title = "Attack", data = function()
  local t = {}
  for i = 1, 1000 do t[i] = i % 7 end
  pcall(table.sort, t, function() return true end)
  pcall(table.sort, t, function() error({}) end)
  error("contradiction") -- here
end, step "s" { text = "t" } }
