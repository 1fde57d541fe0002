--> says: more than 16 KiB were printed
while true do print(("x"):rep(1000)) end
