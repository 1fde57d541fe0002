-- … or that of a hidden file, or of none.
--> draws: bashrc
return lesson "program-hidden" { format = 1, title = "Attack",
  ask.code "s" { text = "t", why = "w", solution = "_ENV['.bashrc'] = function(x) return x end", start = "_ENV['.bashrc'] = function(x) return x + 1 end", probes = { "value" } } } -- here
