-- The solution defines a function whose name is a path: the learner's program would have that name.
--> draws: evil
return lesson "program-path" { format = 1, title = "Attack",
  ask.code "s" { text = "t", why = "w", solution = "_ENV['../../../evil'] = function(x) return x end", start = "_ENV['../../../evil'] = function(x) return x + 1 end", probes = { "value" } } } -- here
