--> says: listed twice
return course "twice" { format = 1, title = "Attack", lessons = { "good", "good" } } -- here
