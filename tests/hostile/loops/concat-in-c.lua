-- table.concat of what a C function answers.
--> says: take a list without __index
local long = setmetatable({}, { __index = setmetatable({}, { __index = rawlen }) })
return lesson "concat-in-c" {
  format = 1, title = "Attack",
  step "s" { text = "t", show = function()
    table.concat(long, "", 1, 1 << 60) -- here
  end },
}
