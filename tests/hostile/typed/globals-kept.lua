-- What is kept in names is gone with the line.
--> says: more memory than it may have
a = {} while true do a = { a, ("x"):rep(100) .. tostring(a) } end
