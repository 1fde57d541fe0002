-- Modules that use each other.
--> says at shared/two.lua:1: uses itself
local a = use "one"
return lesson "deep-uses" { format = 1, title = "Attack", step "s" { text = "t" } }
