--> says: unknown name `got`
got
