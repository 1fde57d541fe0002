-- The lesson's own program never returns.
--> says: takes too long
return lesson "in-a-solution" {
  format = 1, title = "Attack",
  ask.code "s" {
    text = "t", why = "w",
    solution = "function f(x)\n while true do end\nend", -- here
    start = "function f(x) return x end",
    probes = { "companion" },
  },
}
