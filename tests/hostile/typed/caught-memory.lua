--> says: more memory than it may have
while true do pcall(function() local t = {} for i = 1, math.huge do t[i] = { i } end end) end
