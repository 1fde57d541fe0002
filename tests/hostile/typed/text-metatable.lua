-- Texts have the lesson's own metatable; it does not show.
--> draws: false
getmetatable("")
