-- Rows that a hand can compute with. Lessons take this table by `use "rows"`.
local rows = {}

-- n different whole numbers whose mean is one too.
function rows.whole_mean(random, n)
  local x
  repeat
    x = random:integers { n, from = 1, to = 9, distinct = true }
  until x:mean() % 1 == 0
  return x
end

return rows
