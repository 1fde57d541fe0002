-- What the question asks for.
--> says: unknown name `answer`
answer
