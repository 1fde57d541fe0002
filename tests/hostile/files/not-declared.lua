-- A file that is there and not declared.
--> says: have no "good.txt"
return lesson "not-declared" { format = 1, title = "Attack", files = { "below/good.txt" }, step "s" { text = file "good.txt" } } -- here
