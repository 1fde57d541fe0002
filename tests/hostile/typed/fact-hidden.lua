-- A fact that the question does not speak of.
--> says: `secret` is not at hand
secret
