-- Lessons that are not there, among them itself.
--> lists: Attack
return course "not-there" { format = 1, title = "Attack", lessons = { "course", "gone", "good" } }
