-- A replacement that never comes.
--> stops
return lesson "gsub-callback" {
  format = 1, title = "Attack",
  step "s" { text = "{f()}" },
  define = { f = function()
    return (("x"):rep(9):gsub("x", function() while true do end end)) -- here
  end },
}
