-- A title that the head line has no room for.
return lesson "title-wide" {
  format = 1,
  title  = "The mean of a token, and what else can be said of it and of all the others in the batch", --! `title` is wider than the head line has room for

  step "one" { text = "One." },
}
