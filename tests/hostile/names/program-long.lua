-- … or is longer than a file's name may be.
--> says: there is no function
local name = ("f"):rep(300)
return lesson "program-long" { format = 1, title = "Attack",
  ask.code "s" { text = "t", why = "w", solution = "function " .. name .. "(x) return x end", start = "function " .. name .. "(x) return x + 1 end", probes = { "value" } } } -- here
