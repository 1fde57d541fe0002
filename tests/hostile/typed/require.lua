--> says: unknown name `require`
require "os"
