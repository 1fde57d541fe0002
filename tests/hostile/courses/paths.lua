--> says: not a file's name
return course "paths" { format = 1, title = "Attack", lessons = { "good", "../../../etc/passwd" } } -- here
