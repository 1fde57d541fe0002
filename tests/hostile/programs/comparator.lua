--> stops
function layer_norm(x)
  table.sort({ 2, 1, 3 }, function() while true do end end) -- here
end
