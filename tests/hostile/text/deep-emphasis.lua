-- Stars and brackets that find no partner.
--> draws: Attack
return lesson "deep-emphasis" { format = 1, title = "Attack", step "s" { text = ("*a _b "):rep(20000) .. ("["):rep(50000) .. ("`"):rep(9999) .. ("![]("):rep(20000) .. ("<"):rep(20000) } }
