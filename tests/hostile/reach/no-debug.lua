-- The registry.
--> says: unknown name `debug`
return debug.getregistry() -- here
