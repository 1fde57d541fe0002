--> stops
function layer_norm(x)
  while true do end -- here
end
