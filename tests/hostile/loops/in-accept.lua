-- Numbers that are never good enough.
--> says: 200 draws
return lesson "in-accept" { -- here
  format = 1, title = "Attack",
  data = function(random) return { x = random:normal { 4 } } end,
  accept = "false", -- here
  step "s" { text = "t" },
}
