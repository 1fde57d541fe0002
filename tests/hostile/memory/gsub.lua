-- A replacement longer than what it replaces.
--> says: more memory than it may have
return lesson "gsub" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    return ((" "):rep(1 << 20):gsub(" ", ("y"):rep(1 << 16))) -- here
  end },
}
