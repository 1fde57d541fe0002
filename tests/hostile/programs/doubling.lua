--> says: more memory than it may have
function layer_norm(x)
  local s = "x"
  while true do s = s .. s end -- here
end
