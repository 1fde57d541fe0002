--> draws: false
getmetatable(_ENV)
