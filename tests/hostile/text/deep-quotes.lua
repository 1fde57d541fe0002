-- Quotes in quotes.
--> draws: Attack
return lesson "deep-quotes" { format = 1, title = "Attack", step "s" { text = (">"):rep(50000) .. " deep" } }
