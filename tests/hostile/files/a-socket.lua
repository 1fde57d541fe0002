-- A socket.
--> says at a-socket.lua: not a regular file
return lesson "a-socket" { format = 1, title = "Attack", files = { "socket" }, step "s" { text = "t" } }
