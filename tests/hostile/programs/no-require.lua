--> says: unknown name `require`
local os = require "os" -- here
