--> stops
for w in ("a"):rep(4000):gmatch(("a*"):rep(6) .. "b") do end
