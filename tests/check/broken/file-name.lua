-- A lesson whose id is not the name of its file.
return lesson "another" { --! the lesson's id "another" must be its file's name without .lua
  format = 1,
  title  = "File name",

  step "one" { text = "One." },
}
