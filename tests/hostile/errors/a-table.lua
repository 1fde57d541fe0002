-- A table that looks like a lesson.
--> says at a-table.lua:1: returns a table
return setmetatable({ format = 1, title = "Attack" }, { __name = "construct", __index = lesson "a-table" })
