-- Past the metatables.
--> says: unknown name `rawset`
rawset(string, "rep", 1) -- here
