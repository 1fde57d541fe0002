-- The environment's metatable.
--> says: cannot be changed
assert(getmetatable(_ENV) == false)
setmetatable(_ENV, {}) -- here
