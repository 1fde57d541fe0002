-- A hundred thousand paragraphs.
--> draws: paragraph
return lesson "many-lines" { format = 1, title = "Attack", step "s" { text = ("paragraph\n\n"):rep(80000) } }
