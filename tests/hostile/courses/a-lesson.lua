--> says: returns lesson
return lesson "a-lesson" { format = 1, title = "Attack", step "s" { text = "t" } } -- here
