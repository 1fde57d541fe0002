-- gmatch as an iterator that never gets on.
--> stops
return lesson "backtracking-gmatch" {
  format = 1, title = "Attack",
  given = { x = function()
    for w in ("a"):rep(4000):gmatch(("a*"):rep(6) .. "b") do end -- here
    return 1
  end },
  step "s" { text = "{x}" },
}
