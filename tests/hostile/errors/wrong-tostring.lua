-- __tostring and __name that are no texts.
--> draws: wrong
return lesson "wrong-tostring" { format = 1, title = "Attack", step "s" { text = "wrong {f()}" },
  define = { f = function()
    pcall(function() return setmetatable({}, { __name = {} }) + 1 end)
    pcall(tostring, setmetatable({}, { __tostring = function() return {} end }))
    return setmetatable({}, { __tostring = function() return nil end, __name = 5 })
  end } }
