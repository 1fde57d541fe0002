-- An error while an error is on its way.
--> says: closing
return lesson "while-closing" { format = 1, title = "Attack", data = function()
  local c <close> = setmetatable({}, { __close = function() error("closing") end }) -- here
  error("first")
end, step "s" { text = "t" } }
