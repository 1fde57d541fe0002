--> says: not a file's name
return course "dots" { format = 1, title = "Attack", lessons = { ".." } } -- here
