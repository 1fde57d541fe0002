-- A value whose text raises, in a hole.
--> says: worse
return lesson "raising-tostring-shown" { format = 1, title = "Attack", step "s" { text = "{f()}" },
  define = { f = function() return setmetatable({}, { __tostring = function() error("worse") end }) end } } -- here
