-- A lesson returns data; the tutor draws it, asks it and checks it. This one runs as it is:
--
-- on the screen, and again at every save:           normtutor play --watch new-lesson.lua
-- what is wrong, with the numbers of many learners:  normtutor check new-lesson.lua
--
-- Three sorts of value, told by the field and never guessed:
--     words      Markdown. A hole {x:mean()} holds a formula; {{ is a brace.
--     formula    a Lua expression in a string, over the facts: "x:mean()". A number or a tensor does as well.
--     plain      a number, a name, a list of ids.

return lesson "new-lesson" {    -- its id is the file's name
  format   = 1,
  title    = "New lesson",
  about    = "One line for the list of lessons.",
  minutes  = 5,
  goal     = [[
What the learner can do after this lesson. This is its first page.

You will be able to find the variance of a token, and to normalize it.
]],
  remember = [[
- What to keep. This is the last page, and the learner's notes.
- The variance is the mean of the squared distances from the mean.
]],

  -- Facts: the names that formulas and holes see. `data` draws them, and `random` is the only chance there is: another
  -- learner has other numbers, the same learner keeps theirs. Numbers that `accept` does not like are drawn again.
  data     = function(random) return { x = random:integers { 4, from = 1, to = 20, distinct = true } } end,
  accept   = "x:mean() % 1 == 0 and x:var() > 20 and abs(c):min() > 0",
  given    = { c = "x - x:mean()", squares = "(c * c):sum()" },    -- computed when they are asked for

  -- A step tells something. A knob is a fact that the learner turns: every view and every hole follows it.
  step "look" {
    title = "Look at it",
    text  = [[
A **token** is a row of numbers, its *features*: {x}.

Turn **shift**: the bars move, and so does their mean, {(x + shift):mean()}. Does any bar come nearer to it?
]],
    knobs = { knob.int "shift" { -10, 10, at = 0 } },
    show  = view.bars { "x + shift" },
  },

  -- A question for a number. Its answer is a formula, and so is each mistake: the tutor recognises it in what was typed,
  -- whatever the learner's numbers are, and says what was done. `got` is what they typed.
  ask.number "variance" {
    title   = "The variance",
    text    = "A token is {x}. What is its variance, the mean of the squared distances from the mean?",
    show    = view.pipeline { "x" },
    hide    = { "centred", "squared", "var", "rstd", "normalized" },    -- these show as ? until it is answered
    answer  = "x:var()",
    mistake "sum"       { by = "squares", say = "{got} is the sum of the squares. Divide it by {#x}." },
    mistake "unbiased"  { by = "squares / (#x - 1)", say = "You divided by {#x - 1}. There are {#x} numbers." },
    mistake "deviation" { by = "x:std()", say = "{got} is the root of the variance: one step too far." },
    hints   = {    -- opened one by one; after the last the tutor offers the answer
      "First the mean, {x:mean()}. How far is each number from it?",
      "The distances are {c}. Square them, and take the mean of the squares.",
    },
    why     = "The squares of {c} add up to {squares}, and {squares} / {#x} = {answer}.",    -- shown once it is answered
  },

  -- A question for a row of numbers. It is held against the answer to three decimals, unless `places` says otherwise.
  ask.tensor "normalize" {
    title   = "Normalize it",
    text    = [[
A token is {x}. Its mean is {x:mean()}, its variance {x:var()}.

Normalize it: subtract the mean, and divide by the root of the variance. You may type `(8 - 3)/sqrt(7)`.
]],
    answer  = "c / sqrt(x:var())",
    mistake "no-root"   { by = "c / x:var()", say = "You divided by the variance. Divide by its root." },
    mistake "centred"   { by = "c", say = "The mean is subtracted. Now divide by the root of the variance." },
    mistake "uncentred" { by = "x / sqrt(x:var())", say = "Subtract the mean, {x:mean()}, before you divide." },
    hints   = { "The distances from the mean are {c}.", "Divide each of {c} by sqrt({x:var()})." },
    why     = "Each of {c} is divided by {sqrt(x:var())}.",
  },

  -- A prediction. The view stands still at `from` until the learner has committed; then the knob travels to `to`, and
  -- they see whether they were right.
  ask.choice "times" {
    title   = "Ten times as large",
    text    = [[
A token, and what layer norm makes of it. Every number of the token grows to ten times what it is.

What happens to the normalized numbers?
]],
    knobs   = { knob.int "times" { 1, 10, at = 1 } },
    show    = view.table {
      head = { "token", "normalized" },
      { "x * times", "nn.layer_norm(x * times)" },
    },
    predict = { from = { times = 1 }, to = { times = 10 } },
    option "grow" { "they grow to ten times", say = "The deviation grows with them, and they are divided by it." },
    option "stay" { "they stay as they are", right = true },
    option "less" { "they come nearer to 0", say = "They are divided by ten times as much, but they are ten times as large." },
    why     = "Distances and deviation both grow to ten times, and the quotient stays.",
  },

  -- A program to mend. You give the right one, and ways to get it wrong; the learner begins with the one that `broken`
  -- names, and the probes measure what they make of it. `normtutor play` says where the learner's file is.
  ask.code "mend" {
    title    = "Mend it",
    data     = function(random) return { bug = random:pick { "batch", "token" } } end,
    text     = "This layer norm averages over the wrong axis. Mend it: the probes run at every save.",
    solution = [[
function layer_norm(x, scale, bias, eps)
  local over = { "feature" }
  return (x - x:mean(over)) / sqrt(x:var(over) + eps) * scale + bias
end
]],
    broken   = "bug",
    probes   = { "companion", "future", "alone", "value" },
    mistake "batch" { by = replace { '"feature"', '"batch"' }, say = "It averages over the batch: over other samples." },
    mistake "token" { by = replace { '"feature"', '"token"' }, say = "It averages over the tokens: the future leaks." },
    hints    = { "What did the probe change that failed? That must not be in the mean.", "The axes are named in `over`." },
    why      = "Layer norm averages over the features of one token, and over nothing else.",
  },
}
