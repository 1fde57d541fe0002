-- Options whose words go away when one is asked for whether it is right.
--> draws: as it was
local words = { "as it was" }
words.right = function() words[1] = nil words.say = nil return true end
local other = { "wrong", say = "no" }
other.right = function() other[1] = {} other.say = nil return false end
words.say = "yes"
return lesson "options" { format = 1, title = "Attack",
  ask.choice "s" { text = "t", why = "w", option "a" (words), option "b" (other) } }
