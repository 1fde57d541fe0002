--> says: more memory than it may have
local s = ("\0" .. "1"):rep(1 << 18) while true do s = string.format("%q", s) end
