-- The error's own text raises.
--> says: not a text
return lesson "raising-tostring" { format = 1, title = "Attack", data = function() -- here
  error(setmetatable({}, { __tostring = function() error("worse") end }))
end, step "s" { text = "t" } }
