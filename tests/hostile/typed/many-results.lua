-- More results than a call can have.
--> says: stack overflow
(function() local t = {} for i = 1, 900000 do t[i] = i end return table.unpack(t) end)()
