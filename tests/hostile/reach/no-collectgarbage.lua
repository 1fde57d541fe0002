-- The collector, stopped.
--> says: unknown name `collectgarbage`
collectgarbage("stop") -- here
