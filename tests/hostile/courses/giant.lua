-- A title of two megabytes.
--> says: larger than a message may be
return course "giant" { format = 1, title = ("x"):rep(1 << 20) .. ("y"):rep(1 << 20), lessons = { "good" } } -- here
