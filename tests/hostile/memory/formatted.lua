-- string.format with much to put in.
--> says: more memory than it may have
return lesson "formatted" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    local s = ("x"):rep(1 << 20)
    while true do s = string.format("%s%s%s%s", s, s, s, s) end -- here
  end },
}
