--> says: unknown name `_G`
_G.x
