-- A line of a plot whose every point takes its time.
--> stops
return lesson "in-a-plot" {
  format = 1, title = "Attack",
  define = { f = function(s) for i = 1, 3e6 do end return s end }, -- here
  step "s" { text = "t", show = view.plot { over = { "s", 0, 1 }, lines = { { "f(s)" } } } }, -- here
}
