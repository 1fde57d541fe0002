-- An environment of the lesson's own reaches no further than itself.
--> says: nil value
local _ENV = { setmetatable = setmetatable, tostring = tostring }
io.open("/etc/passwd") -- here
