-- Each level of a deep recursion catches what the level below raises, and goes down again.
--> stops
local function f() -- here
  pcall(f) -- here
  pcall(f) -- here
end -- here
return lesson "pcall-of-itself" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function() while true do f() end end }, -- here
}
