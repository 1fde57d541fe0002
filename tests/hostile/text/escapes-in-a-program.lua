-- The same in a program that a learner is to mend, its errors and its words.
--> answer: function f(x) error("\27]0;owned\7 \u{9b}31m \u{202e}") end
--> draws: f.lua:1
return lesson "escapes-in-a-program" { format = 1, title = "Attack",
  ask.code "s" { text = "t", why = "w", solution = "function f(x) return x end -- \27[31m \27]0;owned\7 \u{9b}31m",
    start = "function f(x) return x + 1 end -- \27[31m \27]0;owned\7 \u{9b}31m\u{202e}", probes = { "value" } } }
