-- The same in an error.
--> says: Raised
return lesson "escapes-raised" { format = 1, title = "Attack", data = function()
  error("Raised \27]0;owned\7 \27[66;66H \27[31m \u{9b}66;66H \u{202e}evil\r\8\127") -- here
end, step "s" { text = "t" } }
