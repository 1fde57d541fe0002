-- The table of globals.
--> says: unknown name `_G`
return _G -- here
