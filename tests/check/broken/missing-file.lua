-- A file that is not there.
return lesson "missing-file" {
  format = 1,
  title  = "Missing file",
  files = { "poem.txt" }, --! files/poem.txt cannot be read

  step "one" { text = file "poem.txt" },
}
