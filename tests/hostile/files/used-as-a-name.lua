-- A file that is to be a title, a formula, an id.
--> says: not a string
return lesson "used-as-a-name" { format = 1, title = file "good.txt", files = { "good.txt" }, given = { x = file "good.txt" }, step "s" { text = "t", show = view.bars { file "good.txt" } } } -- here
