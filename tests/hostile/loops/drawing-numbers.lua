-- Random numbers for a tensor as large as may be.
--> stops
return lesson "drawing-numbers" {
  format = 1, title = "Attack",
  data = function(random)
    while true do local x = random:normal { 8192, 4096 } end -- here
  end,
  step "s" { text = "t" },
}
