-- The file returns nothing.
--> says at returns-nothing.lua:1: returns a nil
local x = 1
