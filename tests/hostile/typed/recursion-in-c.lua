--> says: C stack overflow
local function f() table.sort({ 1, 2 }, f) end f()
