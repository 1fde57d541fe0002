-- A title of a megabyte.
--> draws: A long title
return lesson "giant-title" { format = 1, title = ("A long title. "):rep(70000), step "s" { text = "t" } } -- here
