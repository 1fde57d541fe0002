-- A fact with the name of another.
return lesson "name-twice" {
  format = 1,
  title  = "Name twice",
  given = { x = 3 },

  step "one" {
    data = function(random) return { x = random:integer(1, 9) } end, --! the name `x` is used twice, also on line 5
    text = "{x}",
  },
}
