-- A file's text is not run.
--> draws: os.execute
return lesson "code" { format = 1, title = "Attack", files = { "code.lua" }, step "s" { text = "t", show = view.code { file "code.lua" } } }
