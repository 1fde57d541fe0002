-- A device that never ends.
--> says at a-device.lua: link
return lesson "a-device" { format = 1, title = "Attack", files = { "zero" }, step "s" { text = "t" } }
