-- Every text of it commands the terminal.
--> draws: Text
local evil = "\27]0;owned\7 \27[66;66H \27[31;46m \27[?1049l \u{9b}66;66H \u{9d}0;x\u{9c} \27P1$q\27\\ \8\13\127 \14\15 \27c end"
return lesson "escapes" { format = 1, title = "Title " .. evil, about = "About " .. evil, goal = "Goal " .. evil, remember = "Remember " .. evil, sources = { "Source " .. evil },
  step "s" { title = "Tell " .. evil, text = "Text " .. evil .. "\n\n    code " .. evil .. "\n\n- item " .. evil .. "\n\n| a " .. evil .. " | b |\n|---|---|\n| 1 | 2 |\n\n`" .. evil .. "` [link " .. evil .. "](http://x" .. evil .. ")\n\n```lua " .. evil .. "\ncode\n```\n\n{'hole " .. "\\27[31m\\155'}",
    knobs = { knob.int "gain" { 1, 9, label = "knob " .. evil }, knob.pick "way" { "a", "b", names = { a = "way " .. evil } } },
    show = view.column { view.bars { "tensor { 1, 2 }", names = { "one " .. evil, "two" }, alt = "Alt " .. evil }, view.table { { "1" }, head = { "head " .. evil } } } } }
