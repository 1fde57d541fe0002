return course "deeds" {
  format   = 1,
  title    = "Deeds & *other* things",
  author   = "A. Author",
  lessons  = { "answers", "wild", "untouched" },
}
