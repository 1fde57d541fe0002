-- A table with a thousand columns, and one with ten thousand rows.
--> draws: Attack
return lesson "markdown-tables" { format = 1, title = "Attack", step "s" { text = ("|a"):rep(1000) .. "|\n" .. ("|-"):rep(1000) .. "|\n" .. (("|b"):rep(1000) .. "|\n"):rep(50) ..
  "\n\n|a|b|\n|-|-|\n" .. ("|1|2|\n"):rep(10000) } }
