-- Libraries.
--> says: unknown name `require`
return require "os" -- here
