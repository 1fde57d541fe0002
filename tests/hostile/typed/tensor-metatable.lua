--> draws: false
getmetatable(x)
