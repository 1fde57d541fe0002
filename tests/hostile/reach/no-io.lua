-- Files.
--> says: unknown name `io`
local f = io.open("/etc/passwd") -- here
