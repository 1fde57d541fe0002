-- The file returns a course.
--> says: returns course
return course "a-course" { format = 1, title = "Attack", lessons = { "x" } } -- here
