-- Each piece of it is what was found, a thousand times.
--> says: more memory than it may have
return lesson "gsub-quoted" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    return ((" "):rep(1 << 20):gsub(".*", ("%0"):rep(1 << 12))) -- here
  end },
}
