-- A lesson without its braces.
--> says at half-a-lesson.lua:1: returns a function
return lesson "half-a-lesson"
