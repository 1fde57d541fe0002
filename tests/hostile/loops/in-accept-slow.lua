-- Each draw takes a second.
--> stops
return lesson "in-accept-slow" {
  format = 1, title = "Attack",
  data = function(random) for i = 1, 1e7 do end return { x = random:normal { 4 } } end, -- here
  accept = "false", -- here
  step "s" { text = "t" },
}
