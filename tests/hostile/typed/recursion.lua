--> says: more memory than it may have
function f() return 1 + f() end f()
