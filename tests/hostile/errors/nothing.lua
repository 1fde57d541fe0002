-- Nothing is raised.
--> says: not a text
return lesson "nothing" { format = 1, title = "Attack", step "s" { text = "{f()}" }, define = { f = function() error() end } } -- here
