--> typed: no
--> says at none: there is no function layer_norm
layer_norm = 5
