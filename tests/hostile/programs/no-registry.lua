-- The metatables of texts and tensors.
--> says: index a boolean value
function layer_norm(x)
  getmetatable(x).__index = nil -- here
end
