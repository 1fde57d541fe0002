-- The same with gsub and greedy pieces.
--> stops
return lesson "backtracking-greedy" {
  format = 1, title = "Attack",
  step "s" { text = "t" },
  data = function()
    return { x = ("a"):rep(5000):gsub((".*"):rep(6) .. "b", "") } -- here
  end,
}
