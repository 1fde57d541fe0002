-- A fact that is the answer.
--> says: is what the question asks for
told
