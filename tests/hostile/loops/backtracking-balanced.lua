-- %b and %f in a match over and over.
--> stops
local text = ("("):rep(500000)
return lesson "backtracking-balanced" {
  format = 1, title = "Attack",
  accept = function()
    return text:match("%b().*%f[b]") -- here
  end,
  step "s" { text = "t" },
}
