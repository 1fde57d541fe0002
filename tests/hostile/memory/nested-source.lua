-- A table constructor nested too deep to be read: the source is made by a lesson's file, a text.
--> says: C stack overflow
return lesson "nested-source" { format = 1, title = "Attack", step "s" { text = "{" .. ("("):rep(5000) .. "1" .. (")"):rep(5000) .. "}" } } -- here
