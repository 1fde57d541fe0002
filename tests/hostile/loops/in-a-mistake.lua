-- A mistake that never comes to a number.
--> stops
--> answer: 3
return lesson "in-a-mistake" {
  format = 1, title = "Attack",
  define = { f = function() while true do end end }, -- here
  ask.number "s" { text = "t", why = "w", answer = "2", mistake "m" { by = "f()", say = "no" } },
}
