-- Round and round.
--> stops
return lesson "goto" {
  format = 1, title = "Attack",
  step "s" { text = "{f()}" },
  define = { f = function() ::again:: goto again end }, -- here
}
