-- A text that commands the terminal.
--> draws: Attack
return lesson "escaping" { format = 1, title = "Attack", files = { "escaping.txt" }, step "s" { text = file "escaping.txt" } }
