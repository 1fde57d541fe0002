-- Another step's facts.
--> step: s
--> says: unknown
return lesson "other-steps-facts" { format = 1, title = "Attack",
  step "a" { text = "{hidden}", data = function() return { hidden = 1 } end }, step "s" { text = "{hidden}" } } -- here
