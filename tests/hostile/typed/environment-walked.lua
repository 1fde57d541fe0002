-- What pairs finds of it is nothing.
--> draws: none
(function() for name in pairs(_ENV) do return name end return "none" end)()
