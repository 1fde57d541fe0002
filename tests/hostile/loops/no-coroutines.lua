-- The hook counts anew in each coroutine: there are none.
--> says: unknown name `coroutine`
local function chain()
  return coroutine.wrap(chain)() -- here
end
return lesson "no-coroutines" { format = 1, title = "Attack", data = chain, step "s" { text = "t" } }
