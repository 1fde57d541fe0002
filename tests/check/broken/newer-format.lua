-- Of a format that is yet to come.
return lesson "newer-format" {
  format = 2, --! is written in lesson format 2; this normtutor reads format 1
  title  = "Newer format",
  fields = { "that", "nobody", "knows" },
}
