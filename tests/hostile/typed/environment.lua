-- The table of names is a local like any other; what it hides it hides there too.
--> says: `secret` is not at hand
_ENV.secret
