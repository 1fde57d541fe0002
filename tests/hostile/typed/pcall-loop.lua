-- What raises is caught, and the loop begins again.
--> stops
while true do pcall(function() while true do end end) end
