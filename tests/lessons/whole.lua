-- A lesson with something of everything: the engine's tests load it, cut it short and play it for many seeds.
local function kept(var, eps)
  return sqrt(var / (var + eps))
end

return lesson "whole" {
  format   = 1,
  title    = "Everything once",
  minutes  = 7,
  needs    = { "normalize" },
  goal     = "You will have seen *every* kind: {x}.",
  remember = "- The first is {x[1]}.\n- And {{braces}}.",
  sources  = { "A paper, 2016" },
  about    = "One line",
  data     = function(random)
    return { x = tensor.stack { random:normal { 3, places = 2 }, random:normal { 3, std = 1e-2, places = 4 } }, base = random:integer(2, 9) }
  end,
  given    = { eps = 1e-5, loud = "x[1]:var()", quiet = "x[2]:var()", skip = true, order = "\"pre\"" },
  define   = { kept = kept, shift = function(v, by) return v + by end },
  accept   = "loud > 0.2 and quiet > 1e-6",

  step "look" {
    title  = "Look",
    text   = [[
At ε = {eps} the quiet one keeps {100 * kept(quiet, eps)|0} %, {skip} {order} {depth} {turn|.2e}.
You look at {x[cursor.token]}, feature {cursor.feature}.

    code { with braces

- {shift(x[1], base)}
]],
    knobs  = {
      knob.log "eps" { 1e-12, 1, label = "ε" },
      knob.linear "turn" { -1, 1, at = "0 * base", stops = 8 },
      knob.int "depth" { 1, 64, at = 3 },
      knob.switch "skip" { label = "skip {base}" },
      knob.pick "order" { "post", "pre", names = { post = "post-norm" } },
    },
    edit   = { "x" },
    cursor = { token = 2 },
    show   = view.column {
      view.tokens { "x", names = { "loud", "quiet" }, eps = "eps", scale = "2", bias = "tensor{ 1, 2, 3 }" },
      view.row {
        view.plot {
          over  = { "s", 1e-4, 10, log = true, label = "before" },
          lines = { { "kept(s * s, eps)", label = "after" }, { function(d) return d.s > 5 and nan or d.turn end, label = "turn" } },
          marks = { { "x[1]:std()", label = "loud" }, { "x[2]:std()", label = "quiet" } },
        },
        view.table { { "base", 1 / 3, "order" }, { "x[1][1]" }, head = { "a", "b", "c" }, names = { "first", "second" } },
      },
      view.bars { "x", alt = "{base} bars" },
    },
  },
  step "again" {
    data = function(random, d) return { row = random:uniform { 4, from = -1, to = 1 } + d.base } end,
    text = "{row}",
    edit = { "row" },
    show = view.pipeline { "row", scale = "tensor{ 1, 2, 3, 4 }", bias = "base" },
  },
  step "same" { text = "eps is {eps}", show = "look" },
  step "made" { text = "made", show = function(d) return view.bars { d.x * d.base } end },

  ask.number "near" {
    data    = function(random) return { k = random:pick { 1, 2, 3, 4, 8 } } end,
    text    = "{k} times eps?",
    show    = "look",
    answer  = "kept(k * eps, eps)",
    allow   = { "k", "eps" },
    mistake "no-eps"   { by = "1", say = "1 without eps; here it is 1/{k}." },
    mistake "variance" { by = "k / (k + 1)", say = "You gave {got}: the variance." },
    hints   = { "Divide.", "var = {k} eps." },
    why     = "sqrt({k} / {k + 1}) = {answer}.",
  },
  ask.tensor "row" {
    data    = function(random) local a = random:integer(1, 4) return { q = tensor { a, a + 1, a + random:pick { 2, 3, 4 } } / 100 } end,
    given   = { c = "q - q:mean()", var = "q:var()" },
    text    = "Normalize {q}.",
    show    = view.pipeline { "q" },
    hide    = { "centred", "squared", "var", "rstd", "normalized" },
    answer  = "c / sqrt(var + eps)",
    allow   = { "q", "eps" },
    mistake "sign"    { by = "-c / sqrt(var + eps)", say = "Number {at} is turned: {got}." },
    mistake "no-root" { by = "c / (var + eps)", say = "Its root.", when = "var < 1" },
    hints   = { "The mean is {q:mean()}." },
    why     = "{answer|2}",
  },
  ask.choice "who" {
    text    = "Who gives way at {eps}?",
    knobs   = { knob.log "eps" { 1e-12, 1, at = 1e-12 }, knob.switch "skip" {} },
    show    = view.tokens { "x", eps = "eps" },
    predict = { from = { eps = 1e-12, skip = false }, to = { eps = "eps * 100", skip = true } },
    shuffle = true,
    option "quiet" { "the quiet one of {quiet}", right = true },
    option "both"  { "both, at {eps}", say = "The loud one has {loud}." },
    option "none"  { "none", say = "Look." },
    why     = "Because {answer}.",
  },
  ask.tensor "unseen" {
    text    = "What comes of {x[1]} plus {base}?",
    answer  = "x[1] + base",
    show    = view.bars { "x[1] + base" },
    predict = true,
    why     = "{answer}",
  },
}
