-- Facts that are computed from each other.
return lesson "given-circle" {
  format = 1,
  title  = "Given circle",
  given = { a = "b + 1", b = "a + 1" }, --! is computed from itself

  step "one" { text = "{a}" },
}
