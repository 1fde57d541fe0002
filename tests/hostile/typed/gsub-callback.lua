--> stops
("x"):rep(9):gsub("x", function() while true do end end)
