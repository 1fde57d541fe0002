--> says: unknown
string[("x"):rep(1 << 20)]
