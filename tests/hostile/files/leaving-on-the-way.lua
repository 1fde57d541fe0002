-- A way out and in again.
--> says: not the name of a file below files/
return lesson "leaving-on-the-way" { format = 1, title = "Attack", files = { "below/../../leaving.lua" }, step "s" { text = "t" } } -- here
