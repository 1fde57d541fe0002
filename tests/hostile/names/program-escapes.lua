-- … or commands the terminal.
--> draws: owned
return lesson "program-escapes" { format = 1, title = "Attack",
  ask.code "s" { text = "t", why = "w", solution = "_ENV['\27]0;owned\7\27[31m'] = function(x) return x end", start = "_ENV['\27]0;owned\7\27[31m'] = function(x) return x + 1 end", probes = { "value" } } } -- here
