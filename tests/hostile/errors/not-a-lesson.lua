-- The file returns something else.
--> says at not-a-lesson.lua:1: returns a function
return function() end
