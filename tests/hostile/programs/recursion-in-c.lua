--> says: overflow
function layer_norm(x)
  table.sort({ 1, 2 }, layer_norm) -- here
end
