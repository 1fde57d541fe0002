-- The bytes themselves stand in the source.
--> says: near
function layer_norm(x)
  return ]0;owned [66;66H [31;46m ‮ -- here
end
