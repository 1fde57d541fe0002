-- The same in a name that nobody knows.
--> says: unknown
return lesson "escapes-unknown" { format = 1, title = "Attack", data = function()
  return math["\27]0;owned\7\u{9b}31m\u{202e}"] -- here
end, step "s" { text = "t" } }
