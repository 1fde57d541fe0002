-- A tensor that is the answer, written while it is compared.
--> answer: 1 2
--> draws: ✗
local x = tensor { 1, 2 }
return lesson "answers" { format = 1, title = "Attack",
  ask.tensor "s" { text = "t", why = "w", answer = function() return x end, mistake "m" { by = function() x:set({ 1 }, 9) return tensor { 3, 4 } end, say = "no" } } } -- here
