-- A function that makes no view.
return lesson "made-view" {
  format = 1,
  title  = "Made view",

  step "look" {
    text = "Look.",
    show = function(d) return { 1, 2 } end, --! `show` must come to a view, not a table
  },
}
