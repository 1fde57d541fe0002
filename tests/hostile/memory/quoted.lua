-- %q makes four bytes of one.
--> says: more memory than it may have
return lesson "quoted" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    local s = ("\0" .. "1"):rep(1 << 18)
    while true do s = string.format("%q", s) end -- here
  end },
}
