-- The order of a table.
--> says: unknown name `next`
return next({}) -- here
