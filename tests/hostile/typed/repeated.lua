--> says: string.rep would make more than
("x"):rep(1 << 40)
