-- A character that ASCII has nothing for.
return lesson "no-letters" {
  format = 1,
  title  = "No letters",

  step "look" {
    text = "This is the end \u{1F600}.", --! `text`: ASCII has nothing for
  },
}
