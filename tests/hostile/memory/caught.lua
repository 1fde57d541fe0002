-- Want of memory cannot be caught.
--> says: more memory than it may have
return lesson "caught" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    local kept = {}
    while true do pcall(function() while true do kept[#kept + 1] = { kept } end end) end -- here
  end },
}
