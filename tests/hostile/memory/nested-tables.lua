-- A chain of tables.
--> says: more memory than it may have
return lesson "nested-tables" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    local t = {}
    while true do t = { t } end -- here
  end },
}
