-- Before it is even a lesson.
--> stops
while true do end -- here
