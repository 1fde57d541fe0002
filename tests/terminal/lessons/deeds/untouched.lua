return lesson "untouched" {
  format = 1,
  title  = "Untouched",
  step "only" { text = "Nobody comes here." },
}
