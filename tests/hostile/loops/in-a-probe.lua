-- A probe of the lesson's own that never ends.
--> stops
--> answer: function f(x) return x end
return lesson "in-a-probe" {
  format = 1, title = "Attack",
  ask.code "s" {
    text = "t", why = "w",
    solution = "function f(x) return x end",
    start = "function f(x) return x + 1 end",
    probes = { probe "p" { text = "p", run = function(call, random) while true do end end } }, -- here
  },
}
