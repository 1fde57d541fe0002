--> lists: Title
local evil = "\27]0;owned\7 \27[66;66H \27[31;46m \u{9b}66;66H \u{202e}evil\r\8\127"
return course "escapes" { format = 1, title = "Title " .. evil, author = evil, licence = evil, version = evil, language = evil, report = evil, sources = { evil }, lessons = { "good" } }
