-- The same braces for two steps.
--> draws: shared
local fields = { text = "shared" }
return lesson "twice" { format = 1, title = "Attack", step "s" (fields), step "r" (fields) }
