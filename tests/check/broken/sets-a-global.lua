-- A lesson that leaves something behind.
return lesson "sets-a-global" {
  format = 1,
  title  = "Sets a global",

  step "one" { data = function(random) y = 1 return { x = 1 } end, text = "{x}" }, --! a lesson sets no globals; write `local y = …`
}
