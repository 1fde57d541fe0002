--> says: unknown name `dump`
string.dump(function() end)
