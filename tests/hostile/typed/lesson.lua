--> says: unknown name `lesson`
lesson "evil" { format = 1 }
