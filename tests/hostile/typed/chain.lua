-- A loss with a very long past.
--> stops
local y = tensor.ones { 4 } while true do y = y * 0.5 + y:mean("feature") end
