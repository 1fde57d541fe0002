-- A text of thirty megabytes.
--> says: larger than a message may be
return lesson "giant-words" { format = 1, title = "Attack",
  define = { f = function() return ("x"):rep(1 << 20) end },
  step "s" { text = ("{f()} "):rep(30) } } -- here
