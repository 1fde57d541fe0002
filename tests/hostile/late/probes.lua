-- A probe that changes the list of probes.
--> answer: function f(x) return x end
--> draws: as it was
local probes = {}
probes[1] = probe "p" { text = "as it was", run = function(call) probes[1], probes[2] = nil, nil return call(tensor { 1 }), tensor { 1 } end }
probes[2] = "companion"
return lesson "probes" { format = 1, title = "Attack",
  ask.code "s" { text = "t", why = "w", solution = "function f(x) return x end", start = "function f(x) return x + 1 end", probes = probes } } -- here
