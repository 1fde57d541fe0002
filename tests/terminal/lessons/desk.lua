-- A lesson for the tests of the screen: every kind of place that the arrows can be in, and a text longer than any window.
return lesson "desk" {
  format = 1,
  title  = "A desk",
  goal   = "You will have seen every place.",
  remember = "All places.",

  step "long" {
    title = "Long",
    text  = [[
First line.

- line 01
- line 02
- line 03
- line 04
- line 05
- line 06
- line 07
- line 08
- line 09
- line 10
- line 11
- line 12
- line 13
- line 14
- line 15
- line 16
- line 17
- line 18
- line 19
- line 20
- line 21
- line 22
- line 23
- line 24
- line 25
- line 26
- line 27
- line 28
- line 29
- line 30
- line 31
- line 32
- line 33
- line 34

Last line.
]],
  },

  ask.number "places" {
    title  = "All places",
    data   = function(random) return { x = tensor { { 1, 2, 3 }, { 2, 4, 9 } }, n = random:integer(100, 999) } end,
    text   = "What is {n} + 0?",
    knobs  = { knob.linear "first" { 0, 10, at = 5, stops = 10 }, knob.switch "second" { at = false } },
    edit   = { "x" },
    show   = view.column { view.table { head = { "first" }, { "first * 100" } }, view.tokens { "x", names = { "one", "two" } } },
    answer = "n",
    allow  = { "n" },
    mistake "more" { by = "n + 1", say = "{got} is one more than {n}." },
    hints  = { "Look at it.", "It is {n}." },
    why    = "Nothing was added.",
  },

  ask.choice "guess" {
    title   = "A guess",
    text    = "The knob goes up. Where does it end?",
    knobs   = { knob.linear "far" { 0, 100, at = 0, stops = 100 } },
    show    = view.table { head = { "ten times" }, { "far * 10" } },
    predict = { from = { far = 0 }, to = { far = 80 } },
    option "low"  { "at 40", say = "It went on." },
    option "high" { "at 80", right = true },
    why     = "It was told to.",
  },

  step "last" { title = "Last", text = "That is all." },
}
