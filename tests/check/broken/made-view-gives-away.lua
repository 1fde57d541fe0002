-- A view made by a function that shows the answer, here or there.
return lesson "made-view-gives-away" {
  format = 1,
  title  = "Made view gives away",

  ask.number "token" {
    data   = function(random) return { x = random:integers { 2, 4, from = 1, to = 9 }, t = random:integer(1, 2) } end,
    accept = "x[1]:var() ~= x[2]:var()",
    text   = "What is the variance of token {t}, {x[t]}?",
    show   = function(d) return view.tokens { "x" } end, --! shows its answer (view.tokens, var;
    answer = "x[t]:var()",
    why    = "It is {answer}.",
  },
}
