-- Formats as wide as may be.
--> stops
return lesson "long-formats" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    local format = ("%99.99f"):rep(1000)
    local numbers = {}
    for i = 1, 1000 do numbers[i] = 1e308 end
    while true do string.format(format, table.unpack(numbers)) end -- here
  end },
}
