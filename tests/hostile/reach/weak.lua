-- A table that forgets, which would tell when the collector runs.
--> says: setmetatable allows no __mode here
setmetatable({}, { __mode = "k" }) -- here
