--> says: unknown name `collectgarbage`
collectgarbage("stop")
