-- For the tests of notes: every kind of question.
return lesson "answers" {
  format   = 1,
  title    = "Answers",
  data     = function(random) return { n = random:integer(100, 999) } end,
  remember = "- Adding nothing to {n} leaves {n}.\n- *Once* more.",
  sources  = { "A. Author: On <nothing>, 2001" },

  step "start" { title = "Where it starts", text = "Here it starts." },

  ask.number "number" {
    title   = "A number",
    text    = "What is {n} + 0?",
    answer  = "n",
    mistake "more" { by = "n + 1", say = "{got} is one more than {n}." },
    hints   = { "It is {n}." },
    why     = "Nothing was added to {n}.",
  },

  ask.choice "guess" {
    title   = "A guess",
    text    = "Where does it end?",
    knobs   = { knob.linear "far" { 0, 100, at = 0, stops = 100 } },
    show    = view.table { head = { "ten times" }, { "far * 10" } },
    predict = { from = { far = 0 }, to = { far = 80 } },
    option "low"  { "at *forty*", say = "It went on." },
    option "high" { "at *eighty*", right = true },
    why     = "It was told to.",
  },

  ask.choice "both" {
    text = "Which are even?",
    several = true,
    option "two"   { "2", right = true },
    option "three" { "3", say = "3 is odd." },
    option "four"  { "4", right = true },
    why  = "2 and 4.",
  },

  ask.order "order" {
    text   = "Put them in order.",
    answer = { "first", "second" },
    piece "second" { "then this" },
    piece "first"  { "this" },
    mistake "turned" { by = { "second", "first" }, say = "The other way round." },
    why    = "First things first.",
  },

  ask.code "code" {
    title    = "A program",
    text     = "Mend `layer_norm`.",
    solution = [[
function layer_norm(x, scale, bias, eps)
  local over = { "feature" }
  return (x - x:mean(over)) / sqrt(x:var(over) + eps) * scale + bias
end
]],
    broken   = "batch",
    probes   = { "companion", "future", "alone", "value" },
    mistake "batch" { by = replace { '"feature"', '"batch"' }, say = "It averages over the batch." },
    mistake "token" { by = replace { '"feature"', '"token"' }, say = "It averages over the tokens." },
    why      = "Over features, and over nothing else.",
  },
}
