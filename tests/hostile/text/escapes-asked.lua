-- The same in what questions say.
--> answer: wrong
--> draws: Say
local evil = "\27]0;owned\7 \27[66;66H \u{9b}31m \u{202e}end"
return lesson "escapes-asked" { format = 1, title = "Attack",
  ask.choice "s" { title = "Choice " .. evil, text = "Which? " .. evil, option "right" { "right " .. evil, right = true }, option "wrong" { "wrong " .. evil, say = "Say " .. evil },
    hints = { "Hint " .. evil }, why = "Why " .. evil } }
