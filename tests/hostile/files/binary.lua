-- A file that is no text.
--> says: is not a text
return lesson "binary" { format = 1, title = "Attack", files = { "binary" }, step "s" { text = file "binary" } } -- here
