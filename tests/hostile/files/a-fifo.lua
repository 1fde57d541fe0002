-- A pipe that nobody writes to.
--> says at a-fifo.lua: not a regular file
return lesson "a-fifo" { format = 1, title = "Attack", files = { "fifo" }, step "s" { text = "t" } }
