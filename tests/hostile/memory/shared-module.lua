-- In a module for several lessons.
--> says at shared/bomb.lua:3: more memory than it may have
local bomb = use "bomb"
return lesson "shared-module" { format = 1, title = "Attack", step "s" { text = "t" } }
