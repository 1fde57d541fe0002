-- Code from a text, binary perhaps.
--> says: unknown name `load`
return load("\27Lua") -- here
