--> stops
while true do end -- here
