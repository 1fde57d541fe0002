--> says: unknown name `debug`
debug.getregistry()
