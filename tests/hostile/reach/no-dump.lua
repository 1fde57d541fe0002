-- Bytecode of a function, by way of a text.
--> says: unknown name `dump`
local dumped = (""):dump() -- here
