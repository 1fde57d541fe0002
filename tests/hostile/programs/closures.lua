--> says: more memory than it may have
function layer_norm(x)
  local t = {}
  while true do local n = #t; t[n + 1] = function() return n end end -- here
end
