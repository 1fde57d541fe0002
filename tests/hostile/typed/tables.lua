--> says: more memory than it may have
local t = {} while true do t = { t } end
