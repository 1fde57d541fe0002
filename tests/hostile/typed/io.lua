--> says: unknown name `io`
io.open("/etc/passwd"):read("a")
