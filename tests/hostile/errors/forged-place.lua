-- An error that says it comes from somewhere else is still said of this lesson.
--> says: other.lua:1: not me
return lesson "forged-place" { format = 1, title = "Attack", step "s" { text = "t", show = function() -- here
  error("other.lua:1: not me", 0)
end } }
