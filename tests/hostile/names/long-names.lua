-- An id of a thousand letters.
--> says: longer than
return lesson "long-names" { format = 1, title = "Attack", step(("s"):rep(1000)) { text = "t" } } -- here
