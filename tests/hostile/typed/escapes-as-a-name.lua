--> says: unknown name
_ENV["\27]0;owned\7\27[66;66H"]
