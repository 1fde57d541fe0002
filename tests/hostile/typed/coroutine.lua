--> says: unknown name `coroutine`
coroutine.wrap(function() while true do end end)()
