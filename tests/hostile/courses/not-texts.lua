--> says: list of texts
return course "not-texts" { format = 1, title = "Attack", lessons = { {}, true, 5 } } -- here
