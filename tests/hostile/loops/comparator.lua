-- A sort whose comparator never answers.
--> stops
return lesson "comparator" {
  format = 1, title = "Attack",
  data = function()
    table.sort({ 3, 1, 2 }, function() while true do end end) -- here
  end,
  step "s" { text = "t" },
}
