--> stops
local f, n = ("%99.99f"):rep(200), {} for i = 1, 200 do n[i] = 1e308 end while true do string.format(f, table.unpack(n)) end
