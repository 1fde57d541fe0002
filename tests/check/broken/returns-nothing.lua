--! the file must return its lesson
local one = step "one" { text = "One." }
