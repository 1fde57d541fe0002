-- A file that is not there. (no line) --! files/poem.txt cannot be read
return lesson "missing-file" {
  format = 1,
  title  = "Missing file",
  files = { "poem.txt" },

  step "one" { text = file "poem.txt" },
}
