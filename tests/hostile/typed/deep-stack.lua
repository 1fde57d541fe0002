--> stops
local y = tensor.ones { 64, 1024 } while true do nn.stack(y, { depth = 64, order = "post", sublayer = function(z) return z end }) end
