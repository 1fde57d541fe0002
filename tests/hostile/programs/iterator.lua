--> stops
function layer_norm(x)
  for i in function() return 1 end do end -- here
end
