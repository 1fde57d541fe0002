-- The same in an has no field, and as a key.
--> says: has no field
return lesson "escapes-in-a-field" { format = 1, title = "Attack", step "s" { text = "t", ["\27]0;owned\7\27[31m"] = 1 } } -- here
