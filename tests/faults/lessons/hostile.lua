-- Every text of it tries to command the terminal: title, cursor, colours, the other screen, a bell, C1 and bidirectional controls.
local evil = "\27]0;owned\7 \27[66;66H \27[31;46m \27[?1049l \u{9b}66;66H \u{202e}evil \8\13\127 é ε"

return lesson "hostile" {
  format   = 1,
  title    = "Hostile " .. evil,
  about    = "About " .. evil,
  goal     = "Goal " .. evil,
  remember = "Remember " .. evil,
  sources  = { "Source " .. evil },
  define   = { bad = function() error("Error " .. evil) end },
  data     = function(random) return { x = random:integers { 3, from = 1, to = 9, distinct = true } } end,

  step "tell" {
    title = "Tell " .. evil,
    text  = "Text " .. evil .. "\n\n    code " .. evil .. "\n\n- item " .. evil,
    knobs = { knob.int "gain" { 1, 9, label = "knob " .. evil }, knob.pick "way" { "a", "b", names = { a = "way " .. evil } } },
    edit  = { "x" },
    show  = view.column {
      view.bars { "x", names = { "one " .. evil, "two", "three" }, alt = "Alt " .. evil },
      view.table { { "x", "x" }, head = { "head " .. evil, "b" } },
    },
  },

  ask.choice "choice" {
    title = "Choice " .. evil,
    text  = "Which? " .. evil,
    option "right" { "right " .. evil, right = true },
    option "wrong" { "wrong " .. evil, say = "Say " .. evil },
    hints = { "Hint " .. evil },
    why   = "Why " .. evil,
  },

  ask.number "number" {
    title = "Number " .. evil,
    text  = "How many? " .. evil,
    answer = "3",
    mistake "five" { by = "5", say = "{bad()}" },
    mistake "four" { by = "4", say = "Four " .. evil },
    hints = { "Count " .. evil },
    why   = "Because " .. evil,
  },
}
