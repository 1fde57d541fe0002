-- It is stopped; what is to be closed on the way out loops in its turn.
--> stops
local a <close> = setmetatable({}, { __close = function() for i = 1, 100 do pcall(function() while true do end end) end end }) while true do end
