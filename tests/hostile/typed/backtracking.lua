--> stops
(("a"):rep(3000):find(("a-"):rep(5) .. "b"))
