-- table.concat of much.
--> says: more memory than it may have
return lesson "concatenated" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    local t, piece = {}, ("x"):rep(1 << 20)
    for i = 1, 4096 do t[i] = piece end
    return table.concat(t) -- here
  end },
}
