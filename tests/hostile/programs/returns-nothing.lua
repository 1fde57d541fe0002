--> typed: no
--> says: returns nothing
function layer_norm(x) -- here
end
