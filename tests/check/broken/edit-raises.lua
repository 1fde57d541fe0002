-- A view that cannot be drawn once a number is changed.
return lesson "edit-raises" {
  format = 1,
  title  = "Edit raises",
  given = { nothing = function(d) return function() end end },

  step "change" {
    data = function(random) return { x = random:integers { 4, from = 1, to = 9 } } end,
    text = "Change a number.",
    edit = { "x" },
    show = view.table { { "x[4] > 0 and 1 or nothing" } }, --! (with the last number of `x` made 0)
  },
}
