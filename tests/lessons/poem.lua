-- A lesson that shows what is in its files: in words, in facts, in formulas, in Lua code.
local note = file "deep/note.md"

return lesson "poem" {
  format = 1,
  title  = "A poem of {lines} lines",
  files  = { "poem.txt", "deep/note.md" },
  data   = function(random)
    local poem = file "poem.txt"
    local _, lines = poem:gsub("\n", "")
    return { poem = poem, lines = lines, x = random:integers { 3, from = 1, to = 9 }, size = #note }
  end,

  step "read" {
    text  = "The poem: {poem}\n\nIts first word is {poem:match('%a+')}; the note has {size} bytes.",
    knobs = { knob.int "line" { 1, 2 } },
    show  = view.table { head = { "what", "value" }, { "\"note\"", note }, { "\"line\"", "line" }, { "\"first\"", "poem:match('%a+')" } },
  },
  step "note" { text = note },
  ask.number "count" {
    text   = "How many lines has it? {file 'poem.txt'}",
    answer = "lines",
    mistake "words" { by = "7", say = "Those are its words. " .. "{poem:len()} bytes in all." },
    why    = note,
  },
}
