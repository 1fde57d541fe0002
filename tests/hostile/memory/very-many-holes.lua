-- A hundred thousand holes.
--> draws: 1 1 1
return lesson "very-many-holes" { format = 1, title = "Attack", given = { a = 1 },
  step "s" { text = ("{a} "):rep(100000) } } -- here
