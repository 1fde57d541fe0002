-- The answer, asked for by a text.
--> says: unknown
return lesson "answer" { format = 1, title = "Attack",
  ask.number "s" { text = "It is {answer}.", why = "w", answer = "2" } } -- here
