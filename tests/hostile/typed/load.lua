--> says: unknown name `load`
load("return 1")()
