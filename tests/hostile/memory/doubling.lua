-- A text that doubles.
--> says: more memory than it may have
return lesson "doubling" {
  format = 1, title = "Attack",
  step "s" { text = "{f()}" },
  define = { f = function()
    local s = "x"
    while true do s = s .. s end -- here
  end },
}
