-- The environment, by its name.
--> says: a lesson sets no globals
_ENV.evil = 1 -- here
