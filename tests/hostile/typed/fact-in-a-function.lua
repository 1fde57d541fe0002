-- The same out of a function.
--> says: `secret` is not at hand
(function() return secret end)()
