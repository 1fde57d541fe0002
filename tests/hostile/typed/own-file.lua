--> says: unknown name `file`
file "secret.txt"
