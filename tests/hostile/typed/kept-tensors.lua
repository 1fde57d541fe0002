--> says: more memory than it may have
local t = {} while true do t[#t + 1] = tensor.ones { 100000 } end
