--> says: xxxx
error(("x"):rep(1 << 20))
