--> says: more than 16 KiB were printed
(function() local t = {} for i = 1, 200000 do t[i] = i end return table.unpack(t) end)()
