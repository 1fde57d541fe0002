-- A comparison of two with one name.
return lesson "compare-names" {
  format = 1,
  title  = "Compare names",

  step "look" {
    text = "Two rows.",
    show = view.compare {
      "tensor { 1, 2 }", "tensor { 1, 3 }",
      names = { "first" }, --! view.compare: `names` needs a text for each of the 2 entries, "" where there is none; it has 1
    },
  },
}
