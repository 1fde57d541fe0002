-- A lesson that takes a function from shared/ and a program from files/.

local rows = use "rows"         -- runs shared/rows.lua, once, and gives what it returns

return lesson "from-files" {
  format  = 1,
  title   = "From files",
  about   = "A lesson that shares functions with others, and shows a program.",
  minutes = 2,
  needs   = { "new-lesson" },   -- what should come first: the list of lessons says so
  files   = { "layer_norm.lua" },    -- all that it may read of files/

  step "program" {
    title = "The program",
    data  = function(random) return { x = rows.whole_mean(random, 4) } end,    -- facts of this step alone
    text  = "This is files/layer_norm.lua. For {x} it gives {nn.layer_norm(x)}.",
    show  = view.code { file "layer_norm.lua" },
  },

  ask.number "first" {
    title   = "The first one",
    data    = function(random) return { x = rows.whole_mean(random, 4) } end,
    accept  = "x[1] ~= x:mean()",
    text    = "A token is {x}. What does the program make of its first feature, {x[1]}, with scale 1, bias 0 and eps 0?",
    answer  = "(x[1] - x:mean()) / x:std()",
    mistake "variance" { by = "(x[1] - x:mean()) / x:var()", say = "You divided by the variance. The program divides by its root." },
    mistake "reversed" { by = "(x:mean() - x[1]) / x:std()", say = "The sign is reversed: take the mean from the number." },
    hints   = { "The mean is {x:mean()}, the variance {x:var()}." },
    why     = "({x[1]} - {x:mean()}) / sqrt({x:var()}) = {answer}.",
  },
}
