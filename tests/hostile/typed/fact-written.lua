-- The data itself; each line begins with them as they are.
--> says: cannot be changed
x:set({ 1, 1 }, 99)
