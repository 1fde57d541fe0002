-- Facts called like metamethods and environments.
--> draws: 0 2
return lesson "underscores" { format = 1, title = "Attack", data = function()
  return { _ENV = 1, __index = 2, __gc = 3, _G = 4 } -- here
end, step "s" { text = "{#_ENV} {__index}" } }
