-- Questions that are picked and put in order, and a block in every order, for the golden screens.
return lesson "kinds" {
  format = 1,
  title  = "Kinds of question",
  define = { F = function(h) return tensor { h[1] + h[2], h[1] - h[2], h[3] + h[4], h[3] - h[4] } end },
  data   = function(random) return { x = tensor { 1, 7, 9, 15 } } end,

  ask.choice "several" {
    text    = "Which of these does layer norm leave as they are?",
    several = true,
    shuffle = true,
    option "shape" { "the shape of {x}", right = true },
    option "first" { "which feature is the largest", right = true },
    option "mean"  { "the mean of a token", say = "The mean becomes 0." },
    option "scale" { "the spread of a token, which here is a sentence so long that it goes on below itself", say = "The deviation becomes 1." },
    hints   = { "Add 100 to every feature: what changes?" },
    why     = "Shape and ranking stay.",
  },

  ask.order "steps" {
    text   = "Normalize {x}: put the steps in order. Not every piece belongs.",
    piece "mean"    { "take the mean, {x:mean()}" },
    piece "centre"  { "subtract it" },
    piece "var"     { "take the mean of the squares" },
    piece "root"    { "divide by √(that + ε)" },
    piece "softmax" { "make the features sum to 1" },
    answer = { "mean", "centre", "var", "root" },
    mistake "rms" { by = { "var", "root" }, say = "Nothing is centred: that is RMSNorm." },
    hints  = { "Where is the middle?", "The spread is measured around the middle." },
    why    = "Centre, measure, divide.",
  },

  ask.order "guess" {
    text    = "Which comes first?",
    predict = true,
    show    = view.bars { "x" },
    piece "one" { "one" }, piece "two" { "two" }, piece "three" { "three" },
    answer  = { "one", "two", "three" },
    also    = { { "two", "one", "three" } },
    why     = "One and two may change places.",
  },

  step "block" {
    text  = "The same block in five orders. **Space** follows the token through it.",
    knobs = { knob.pick "order" { "post", "pre", "output", "sandwich", "none" } },
    edit  = { "x" },
    show  = view.block { "x", sublayer = "F", order = "order" },
  },
}
