-- A pattern that tries every way to part a text.
--> stops
return lesson "backtracking" {
  format = 1, title = "Attack",
  step "s" { text = "{f()}" },
  define = { f = function()
    return (("a"):rep(3000):find(("a-"):rep(5) .. "b")) or 0 -- here
  end },
}
