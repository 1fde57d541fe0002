--> says: line line
error(("line\n"):rep(10000))
