-- Empty words.
--> draws: step 1 of 1
return lesson "empty" { format = 1, title = "", step "s" { title = "", text = "" } } -- here
