-- What is refused stays refused when that is caught.
--> draws: false
pcall(function() return secret end)
