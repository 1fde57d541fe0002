--> typed: no
--> says at none: there is no function layer_norm
layer_norm = setmetatable({}, { __call = function(_, x) return x end })
