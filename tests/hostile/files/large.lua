-- A file of a gigabyte.
--> says: longer than the 256 KiB
return lesson "large" { format = 1, title = "Attack", files = { "large" }, step "s" { text = file "large" } } -- here
