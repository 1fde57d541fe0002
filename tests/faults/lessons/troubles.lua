-- Each kind of step, and on each of them a way into each trouble: a switch, an answer or an option.
local function spoil(how)
  if how == 1001 then
    while true do end
  elseif how == 1002 then
    local kept = {}
    for i = 1, 1e9 do kept[i] = tensor.zeros { 1024 } end
  elseif how == 1003 then
    return #(("a"):rep(2000):find(("a-"):rep(4) .. "b") or "")
  end
  return 0
end

return lesson "troubles" {
  format   = 1,
  title    = "Troubles",
  goal     = "You will be where you were.",
  remember = "- Nothing is lost.",
  define   = {
    spoil = spoil,
    turned = function(loop, memory, pattern)
      return spoil(loop and 1001 or memory and 1002 or pattern and 1003)
    end,
  },
  data     = function(random) return { x = random:integers { 3, from = 1, to = 9, distinct = true } } end,

  step "tell" {
    text  = "The row {x} times {gain} is {x * gain + turned(loop, memory, pattern)}.",
    knobs = {
      knob.int "gain" { 1, 9, at = 2 },
      knob.switch "loop" {}, knob.switch "memory" {}, knob.switch "pattern" {}, knob.switch "rubbish" {},
    },
    edit  = { "x" },
    show  = view.bars { "x * gain" },
  },

  ask.number "number" {
    text    = "What is the sum of {x}?",
    show    = view.bars { "x" },
    answer  = "x:sum()",
    mistake "more"    { by = "x:sum() + 1", say = "That is one more." },
    mistake "loop"    { by = "1001", say = "Nobody reads this: {spoil(got)}." },
    mistake "memory"  { by = "1002", say = "Nobody reads this: {spoil(got)}." },
    mistake "pattern" { by = "1003", say = "Nobody reads this: {spoil(got)}." },
    hints   = { "Add them." },
    why     = "It is {answer}.",
  },

  ask.tensor "tensor" {
    text    = "Twice {x}?",
    show    = view.bars { "x" },
    answer  = "x * 2",
    mistake "once"    { by = "x", say = "That is {x} itself." },
    mistake "loop"    { by = "tensor { 1001, 0, 0 }", say = "Nobody reads this: {spoil(got[1])}." },
    mistake "memory"  { by = "tensor { 1002, 0, 0 }", say = "Nobody reads this: {spoil(got[1])}." },
    mistake "pattern" { by = "tensor { 1003, 0, 0 }", say = "Nobody reads this: {spoil(got[1])}." },
    why     = "They are {answer}.",
  },

  ask.shape "shape" {
    text    = "How many axes has {x}, and how long?",
    show    = view.bars { "x" },
    answer  = "x.shape",
    mistake "loop"    { by = { 1001 }, say = "Nobody reads this: {spoil(1001)}." },
    mistake "memory"  { by = { 1002 }, say = "Nobody reads this: {spoil(1002)}." },
    mistake "pattern" { by = { 1003 }, say = "Nobody reads this: {spoil(1003)}." },
    why     = "It is {answer}.",
  },

  ask.choice "choice" {
    text = "Which is it, of {x}?",
    show = view.bars { "x" },
    option "first"   { "this one", right = true },
    option "second"  { "that one", say = "It is the first." },
    option "loop"    { "a loop", say = "Nobody reads this: {spoil(1001)}." },
    option "memory"  { "a bomb", say = "Nobody reads this: {spoil(1002)}." },
    option "pattern" { "a pattern", say = "Nobody reads this: {spoil(1003)}." },
    option "rubbish" { "rubbish", say = "Nor this." },
    why  = "Because.",
  },

  ask.choice "travel" {
    text    = "The gain goes from 1 to 9. What becomes of {x}? It is {x * gain + turned(loop, memory, pattern)}.",
    knobs   = {
      knob.int "gain" { 1, 9 },
      knob.switch "loop" {}, knob.switch "memory" {}, knob.switch "pattern" {}, knob.switch "rubbish" {},
    },
    show    = view.bars { "x * gain" },
    predict = { from = { gain = 1 }, to = { gain = 9 } },
    option "grows"   { "it grows", right = true },
    option "shrinks" { "it shrinks", say = "It is multiplied." },
    option "loop"    { "a loop", say = "Nobody reads this: {spoil(1001)}." },
    option "memory"  { "a bomb", say = "Nobody reads this: {spoil(1002)}." },
    option "pattern" { "a pattern", say = "Nobody reads this: {spoil(1003)}." },
    option "rubbish" { "rubbish", say = "Nor this." },
    why     = "Nine times {x}.",
  },

  ask.code "code" {
    text     = "Mend it, times {gain} {turned(loop, memory, pattern)}.",
    knobs    = {
      knob.int "gain" { 1, 9, at = 2 },
      knob.switch "loop" {}, knob.switch "memory" {}, knob.switch "pattern" {}, knob.switch "rubbish" {},
    },
    solution = "function layer_norm(x) return x - x:mean('feature') end",
    broken   = "batch",
    probes   = { "companion" },
    mistake "batch" { by = replace { "feature", "batch" }, say = "Over the batch." },
    why      = "So.",
  },

  ask.number "hidden" {
    text    = "Guess the largest of {x}, squared.",
    show    = view.bars { "x * x" },
    predict = true,
    answer  = "x:max() ^ 2",
    mistake "loop"    { by = "1001", say = "Nobody reads this: {spoil(got)}." },
    mistake "memory"  { by = "1002", say = "Nobody reads this: {spoil(got)}." },
    mistake "pattern" { by = "1003", say = "Nobody reads this: {spoil(got)}." },
    why     = "It is {answer}.",
  },
}
