-- Batch norm beside layer norm: what it takes from other samples, what it stores for evaluation, what a small batch does.
local DRAWS, LARGEST = 300, 256 --  companions of the fixed sample
local BATCHES, SIZE = 40, 16    -- on the way to running statistics
local MOST, TRIES = 16, 400     -- samples of the largest batch whose gradient is compared with others, and how many there are

-- What batch norm makes of a sample's value, once for each column of its companions.
local function with_companions(value, companions, batch)
  local samples = { companions[1] * 0 + value }
  for i = 1, batch - 1 do
    samples[i + 1] = companions[i]
  end
  return (nn.batch_norm(tensor.stack(samples)))[1]
end

-- A draw that differs from the first two in a batch of 2: its companion has the larger value.
local function other_draw(value, companions)
  for draw = 3, DRAWS do
    if companions[1][draw] > value + 0.1 then return draw end
  end
  return 3
end

-- The first sample of x by batch norm's formula, in a batch of the first few. `nn.batch_norm` refuses a batch of one, as PyTorch does.
local function first_of(x, batch)
  local samples = {}
  for i = 1, batch do
    samples[i] = x[i]
  end
  local together = tensor.stack(samples)
  return ((together - together:mean(-2)) / sqrt(together:var(-2) + 1e-5))[1]
end

-- Batch norm in training, batch after batch, as it goes with one of them: the statistics of each and what is stored after it.
local function train(batches, momentum)
  local mean, var = tensor { 0 }, tensor { 1 }
  local log = { { running_mean = 0, running_var = 1 } }
  for i = 1, #batches do
    local out, seen = nn.batch_norm(batches[i], { momentum = momentum, running_mean = mean, running_var = var })
    mean, var = seen.running_mean, seen.running_var
    log[i + 1] = { mean = seen.mean:sum(), var = seen.var:sum(), out = out[1][1], running_mean = mean:sum(), running_var = var:sum() }
  end
  return log
end

-- The list's entry for the number of batches, or the first.
local function after(log, batches)
  return log[math.floor(batches + 0.5) + 1]
end

-- The gradients of four weights, one for each sample, where (w · layer_norm(x) - target)^2 is the loss and the weights are 0.
local function gradients(x, targets)
  local w = x * 0
  local error = ((nn.layer_norm(x)) * w):sum("feature") - targets
  return grad((error * error):sum("all"), w)
end

-- The means over batches of this size.
local function batch_gradients(all, size)
  local batches = {}
  for batch = 1, #all / size do
    local sum = 0
    for i = 1, size do
      sum = sum + all[(batch - 1) * size + i]
    end
    batches[batch] = sum / size
  end
  return tensor.stack(batches)
end

return lesson "batch-norm" {
  format   = 1,
  title    = "Batch norm and evaluation",
  about    = "What batch norm takes from the other samples and stores for evaluation, and why layer norm needs neither.",
  minutes  = 10,
  needs    = { "normalize", "axis" },
  goal     = [[
Batch norm normalizes each feature over the whole batch: all samples and, if they have several, all their tokens. Layer norm normalizes
each token over its features. In this lesson a sample is one token.

You will be able to say what each does in training and at *evaluation*, when the trained model is used, work out what batch norm stores for
that, and say what a small batch changes.

You need to know how a token is normalized, and which numbers share a mean.
]],
  remember = [[
- Batch norm takes mean and variance of a feature over the batch, so a sample's result depends on its companions: much in a batch of 2, little in one of 256.
- For evaluation it stores a running mean and a running variance. PyTorch normalizes by the biased variance but stores the unbiased one.
- Layer norm stores nothing. In training and at evaluation it takes mean and variance of the token that it is given.
- So layer norm is as valid in a batch of 2, or of 1, as in a large one.
- A small batch has another effect, whatever the norm: its gradient is a mean of few samples. The noise of a mean of B is 1/√B of one sample's.
]],
  sources  = {
    "Ioffe, Szegedy: Batch Normalization, 2015 (arXiv:1502.03167)", "Ba, Kiros, Hinton: Layer Normalization, 2016 (arXiv:1607.06450)",
    "Wu, He: Group Normalization, 2018 (arXiv:1803.08494)", "Goyal et al.: Accurate, Large Minibatch SGD, 2017 (arXiv:1706.02677)",
    "PyTorch documentation: torch.nn.BatchNorm1d, torch.nn.LayerNorm",
  },

  define = {
    with_companions = with_companions, other_draw = other_draw, first_of = first_of, train = train, after = after, gradients = gradients, batch_gradients = batch_gradients,
  },

  ask.choice "spread" {
    title   = "Other companions",
    teaches = { "current-statistics" },
    data    = function(random)
      return {
        companions = random:normal { LARGEST - 1, DRAWS }, row = tensor(random:shuffle { -3, -2, 2, 5 }):with({ 1 }, 1), batch = "2",
      }
    end,
    given   = {
      out = "with_companions(row[1], companions, tonumber(batch))", own = "(nn.layer_norm(row))[1]", third = "other_draw(row[1], companions)",
    },
    text    = [[
The first feature of the sample {row} is normalized, by batch norm with those of its *companions*, the other samples in the batch: normal random
numbers (mean 0, deviation 1), drawn 300 times. **Spread** is the deviation of the results. What becomes of both spreads as the batch grows from 2 to 256?
]],
    knobs   = { knob.pick "batch" { "2", "8", "32", "256" } },
    show    = view.table {
      head  = { "one draw", "another", "a third", "spread of 300" },
      names = { "batch norm", "layer norm" },
      { "out[1]", "out[2]", "out[third]", "out:std()" },
      { "own", "own", "own", "(out * 0 + own):std()" },
    },
    predict = { from = { batch = "2" }, to = { batch = "256" } },
    option "stays" {
      "both stay: the sample is the same",
      say = "The sample is. But it is normalized by a mean that its companions have a part in, and a mean of 256 hardly changes from draw to draw.",
    },
    option "falls"   { "batch norm's goes towards 0; layer norm's stays 0", right = true },
    option "grows" {
      "batch norm's grows: more companions, more chance",
      say = "Chance evens out in a mean. The more companions, the less each one moves it.",
    },
    option "both" {
      "both change: batch norm's falls, layer norm's grows",
      say = "Batch norm's falls, yes. But layer norm never looks at the companions, however many there are.",
    },
    why     = "Mean and variance are estimates from the batch: rough from 2, close from 256. In a batch of 2 the larger value becomes 1 and the other -1, however far apart they are. Layer norm takes its mean from the sample's own features.",
  },

  ask.choice "alone" {
    title   = "A batch of one",
    teaches = { "current-statistics" },
    data    = function(random) return { x = random:integers { 8, 4, from = 1, to = 9 }, batch = 8 } end,
    accept  = "x[1]:var() > 1 and x:var('token'):min() > 0",
    given   = { normed = "first_of(x, batch)", first = "x[1]" },
    text    = [[
The first sample of a batch is {first}. The batch shrinks from 8 samples to this one alone.

By the formula, what does batch norm make of it in training?
]],
    knobs   = { knob.int "batch" { 1, 8 } },
    show    = view.table {
      names = { "sample", "batch norm", "layer norm" },
      { "first" }, { "normed" }, { "(nn.layer_norm(first))" },
    },
    predict = { from = { batch = 8 }, to = { batch = 1 } },
    option "itself" {
      "{first}: there is nothing to normalize by",
      say = "There is: the mean of one number is the number itself, and it is subtracted.",
    },
    option "ones" {
      "[1, 1, 1, 1]",
      say = "Each number less the mean of that one number is 0, and 0 divided by sqrt(0 + ε) is 0.",
    },
    option "zeros"   { "[0, 0, 0, 0]", right = true },
    option "layer" {
      "what layer norm makes of it",
      say = "Batch norm still takes a mean for each feature, now of a single number. It never averages over features.",
    },
    why     = "A number less itself is 0, for every feature; with a bias, the bias comes out. All that the sample said is lost, so PyTorch refuses such a batch in training. Layer norm does not notice. Turn **batch** to 2: what is left there?",
  },

  ask.number "stored" {
    title   = "The running variance",
    teaches = { "current-statistics" },
    data    = function(random)
      return { n = random:pick { 3, 5, 6, 9, 11 }, v = random:pick { 2, 3, 4, 6, 10 }, m = random:pick { 0.1, 0.2 }, r = random:pick { 1, 1.5, 2 } }
    end,
    given   = { u = "v * n / (n - 1)" },
    text    = [[
At evaluation there may be no batch. So after each batch in training, batch norm stores

    running = (1 - momentum) × running + momentum × the batch's

for mean and variance, where *momentum* is a fixed share, and evaluation normalizes by those. In training PyTorch normalizes by the biased variance (divided by n), but it stores the
unbiased (by n - 1).

In a batch of {n} a feature has the biased variance {v}. The running variance was {r}, momentum is {m}. What is it now?
]],
    answer  = "(1 - m) * r + m * u",
    mistake "biased" {
      by  = "(1 - m) * r + m * v",
      say = "You stored the biased variance. PyTorch normalizes by that one, but stores the unbiased: {v} × {n} / {n - 1}.",
    },
    mistake "turned" {
      by  = "m * r + (1 - m) * u",
      say = "The unbiased variance it is. But momentum weighs the *new* one here: {m} of it, and {1 - m} of what was stored.",
    },
    mistake "turned-biased" {
      by  = "m * r + (1 - m) * v",
      say = "Momentum weighs the *new* variance here: {m} of it, and {1 - m} of what was stored. And the unbiased one is stored.",
    },
    mistake "batch"     { by = "u", say = "That is the batch's own unbiased variance. Only {m} of it goes into what is stored." },
    mistake "given"     { by = "v", say = "That is the batch's variance as it was. Only a part of the unbiased one goes into what is stored." },
    mistake "added"     { by = "r + m * u", say = "You added {m} of the new one and took nothing of the old away. The old keeps {1 - m}." },
    mistake "smaller" {
      by  = "(1 - m) * r + m * v * (n - 1) / n",
      say = "The unbiased variance is the larger one: divide the sum of squares, {v} × {n}, by {n - 1}.",
    },
    hints   = {
      "First the unbiased variance: the sum of squares is {v} × {n}; divide it by {n - 1}.",
      "It is {u}. Take {m} of it and {1 - m} of {r}.",
    },
    why     = "{1 - m} × {r} + {m} × {u} = {answer}. Other libraries count momentum the other way round, or store the biased one: look it up.",
  },

  step "running" {
    title   = "Training and evaluation",
    teaches = { "current-statistics" },
    data    = function(random)
      local x, batches = tensor { random:pick { 5, 6 }, 2, 3, 8 }, {}
      for i = 1, BATCHES do
        batches[i] = random:normal { SIZE, 1, mean = 3, std = 2 }:with({ 1, 1 }, x[1])
      end
      return { x = x, drawn = batches, batches = 0, momentum = 0.1 }
    end,
    given   = { log = "train(drawn, momentum)", now = "after(log, batches)" },
    text    = [[
x = {x} goes through 40 batches, each with 15 others whose first feature is normal (mean 3, deviation 2). The table: by what x's first feature is
normalized. What is stored begins with mean 0, variance 1.

Turn **batches**. Which rows move, and from when on is the running mean near 3? Then turn **momentum**: what does a large one do to the curves?
]],
    knobs   = { knob.int "batches" { 0, BATCHES }, knob.linear "momentum" { 0, 1, stops = 20 } },
    show    = view.column {
      view.table {
        head  = { "mean", "variance", "x becomes" },
        names = { "training: this batch", "evaluation: running", "layer norm, in both" },
        { "now.mean or '-'", "now.var or '-'", "now.out or '-'" },
        { "now.running_mean", "now.running_var", "(x[1] - now.running_mean) / sqrt(now.running_var + 1e-5)" },
        { "x:mean()", "x:var()", "(nn.layer_norm(x))[1]" },
      },
      view.plot {
        over  = { "b", 0, BATCHES, label = "batches" },
        lines = { { "after(log, b).running_mean", label = "mean" }, { "after(log, b).running_var", label = "variance" } },
        marks = { { "batches", label = "now" } },
      },
    },
  },

  ask.choice "evaluation" {
    title   = "At evaluation",
    teaches = { "current-statistics" },
    text    = "`model.eval()` is called, and the model gets one new token. By which mean and variance does layer norm normalize it?",
    option "running" {
      "the running ones, stored in training",
      say = "That is batch norm. Layer norm has nothing stored: only scale and bias.",
    },
    option "training" {
      "those of the whole training set",
      say = "Nobody has worked them out. Layer norm normalizes each token by itself.",
    },
    option "current" { "those of this very token's features", right = true },
    option "none" {
      "none: after training, scale and bias do it alone",
      say = "Scale and bias come after normalizing. Without it they would stretch numbers of any size.",
    },
    why     = "Layer norm takes mean and variance of its current input, always. `eval()` changes nothing in it; in batch norm it changes from the batch's to the running ones.",
  },

  step "few" {
    title   = "Noisy gradients",
    teaches = { "current-statistics" },
    data    = function(random)
      local x = random:normal { MOST, TRIES, 4 }
      local targets = (nn.layer_norm(x) * tensor { 1, -1, 0.5, 0 }):sum("feature") + random:normal { MOST, TRIES, 1 }
      return { x = x, targets = targets, size = "2" }
    end,
    given   = { all = "gradients(x, targets)", means = "batch_gradients(all, tonumber(size))", spread = "means:std({ -3, -2 })[1][1][1]" },
    text    = [[
Layer norm does not care how large the batch is. Training does, with any norm: a step follows the mean of the samples' *gradients*. A gradient
says by how much the loss changes when a weight does.

Here w · layer_norm(x) has 4 weights, all 0 yet, and learns targets that are noisy. The gradient of the first weight differs from batch to batch;
**spread** is its deviation over at least 400 batches.

Turn **size**. What becomes of the mean, and of the spread? Why does the last column hardly change?
]],
    knobs   = { knob.pick "size" { "1", "2", "4", "8", "16" } },
    show    = view.table {
      head  = { "1st batch", "2nd", "3rd", "mean of all", "spread", "spread × √size" },
      names = { "gradient" },
      { "means[1][1][1]", "means[1][2][1]", "means[1][3][1]", "means:mean({ -3, -2 })[1][1][1]", "spread", "spread * sqrt(tonumber(size))" },
    },
  },

  ask.number "noise" {
    title   = "How noisy?",
    teaches = { "current-statistics" },
    data    = function(random) return { s = random:pick { 0.5, 0.8, 1.5, 2, 3 }, n = random:pick { 2, 4, 8, 16, 32, 64 } } end,
    text    = [[
From sample to sample the gradient of a weight has the deviation s = {s}. A step follows the mean over a batch of n = {n} samples, drawn independently.

What is the deviation of that mean?
]],
    answer  = "s / sqrt(n)",
    allow   = { "s", "n" },
    mistake "by-n"      { by = "s / n", say = "The *variance* of a mean is divided by {n}. Its root, the deviation, by √{n}." },
    mistake "same"      { by = "s", say = "That is one sample's. In a mean of {n} some of the chance evens out." },
    mistake "times"     { by = "s * sqrt(n)", say = "That is the deviation of the *sum*. The mean is the sum divided by {n}." },
    mistake "sum"       { by = "s * n", say = "It would be so if all samples strayed the same way. They are independent, and a mean is asked." },
    mistake "less"      { by = "s / sqrt(n - 1)", when = "n > 2", say = "Divide by √{n}. n - 1 belongs to estimating a variance." },
    mistake "variance"  { by = "s ^ 2 / n", say = "{got} is the variance of the mean. Its root is asked." },
    hints   = { "Independent variances add: the sum's variance is {n} × {s}². And that of the sum divided by {n}?", "The variance of the mean is {s}² / {n}." },
    why     = "{s}/√{n} = {answer}. A batch a quarter as large is twice as noisy. Often the learning rate is made smaller with it.",
  },

  ask.choice "small" {
    title   = "A batch of two",
    teaches = { "current-statistics" },
    text    = "There is memory for a batch of 2 only. Is layer norm still valid there?",
    option "few" {
      "no: two samples give no good mean and variance",
      say = "For batch norm that would be so. Layer norm's are taken from the features of each token, and there are as many as before.",
    },
    option "training" {
      "only at evaluation, by what is stored",
      say = "Layer norm has no running ones, and needs none. It does the same in training and at evaluation.",
    },
    option "other"   { "yes, but training may need other settings", right = true },
    option "nothing" {
      "yes, and training goes as with a large batch",
      say = "Layer norm works as before, yes. But each step now follows the mean of two samples' gradients, which is noisy.",
    },
    why     = "Each token is normalized just as in a large batch. The gradient is noisier: a smaller learning rate, or a mean over several batches before each step, makes up for that.",
  },
}
