---@meta
-- What a lesson can name, for editors that use lua-language-server. It is read by the editor alone: README.md, beside it,
-- says how to point the editor here, and explains it all.

---A Lua expression over the facts in a string, a value, or a function of the facts.
---@alias Formula string|number|boolean|Tensor|table|fun(d: table): any
---An axis's name, a list of names, "all", or a count from the end (-1 is the last).
---@alias Axes string|integer|string[]
---@alias Type "float32"|"float16"|"bfloat16"|"float64"
---@alias Method "two-pass"|"one-pass"|"welford"

---@class View
---@class Knob
---@class Part
---@class Question: Part
---@class LessonValue
---@class CourseValue

---@class Course
---@field format integer # 1
---@field title string
---@field lessons string[] # ids, in order
---@field author? string
---@field licence? string
---@field version? string
---@field language? string # "en"
---@field sources? string[] # where it can be read up
---@field report? string # what to do about a mistake in it

---@class Lesson
---@field format integer # 1
---@field title string # words
---@field about? string # a line for the course list
---@field minutes? number
---@field needs? string[] # ids of lessons to know before
---@field goal? string # words: the first screen
---@field remember? string # words: the last screen
---@field sources? string[]
---@field files? string[] # names below files/
---@field data? fun(random: Random): table # fresh facts
---@field given? table<string, Formula> # facts that follow
---@field define? table<string, function> # functions for formulas and holes
---@field accept? Formula # draw again until it is true
---@field renamed_from? string # the id before
---@field [integer] Part

---@class Step
---@field text string # words
---@field title? string # words
---@field data? fun(random: Random, d: table): table # facts of this step
---@field given? table<string, Formula>
---@field knobs? Knob[]
---@field show? View|string|fun(d: table): View # a view, or the id of an earlier step
---@field edit? string[] # tensors of data that the learner may change
---@field cursor? table<string, integer> # where it begins, by axis, from 1
---@field teaches? string[]
---@field renamed_from? string # the id before

---@class Ask: Step
---@field why string # words: shown once it is answered; `answer` is a fact here
---@field hints? string[] # words, opened one at a time
---@field hide? string[] # quantities of the view that show as ? until it is answered
---@field predict? true|{ from: table, to: table } # makes it a prediction
---@field accept? Formula # needs data of its own
---@field allow? string[] # facts that may be typed

---@class AskNumber: Ask
---@field answer Formula
---@field also? Formula[] # other right answers
---@field places? integer # decimals, 0 to 9; 3
---@field digits? integer # significant digits, 1 to 9
---@field tolerance? number
---@field [integer] Part

---@class AskShape: Ask
---@field answer Formula # a list of sizes, or "error"
---@field also? Formula[]
---@field [integer] Part

---@class AskChoice: Ask
---@field several? boolean # more than one may be right
---@field shuffle? boolean
---@field [integer] Part

---@class AskOrder: Ask
---@field answer string[] # ids of pieces, in order
---@field also? string[][]
---@field [integer] Part

---@class AskCode: Ask
---@field solution string|Part # a program that defines one global function
---@field broken? Formula # id of the mistake that the learner begins with
---@field start? string # or a program to begin with
---@field probes (string|Part)[]
---@field reference? Formula # a function that is right
---@field [integer] Part

---@class Mistake
---@field by Formula|string[]|Part # what comes out on the wrong way
---@field say string # words; `got` and `at` are facts here
---@field when? Formula # false: not for these numbers

---@class Option
---@field right? Formula
---@field say? string # words to who picks it
---@field [integer] string

---@class Probe
---@field text string # words
---@field run fun(call: function, random: Random): number|Tensor, number|Tensor # what it got, and what is right
---@field tolerance? number # 1e-5

---@class NumberKnob
---@field at? Formula # where it starts
---@field stops? integer # positions from end to end; 48
---@field label? string # words
---@field [integer] number

---@class SwitchKnob
---@field at? Formula
---@field label? string # words

---@class PickKnob
---@field at? Formula
---@field label? string # words
---@field names? table<string, string> # what to show for a word
---@field [integer] string

---@class ViewTokens
---@field names? string[]
---@field eps? Formula # 1e-5
---@field scale? Formula
---@field bias? Formula
---@field norm? "layer"|"rms"|string
---@field alt? string # words: what is to be seen
---@field [integer] any

---@class ViewPipeline
---@field eps? Formula # 1e-5
---@field scale? Formula
---@field bias? Formula
---@field alt? string # words: what is to be seen
---@field [integer] any

---@class ViewAxes
---@field over Axes|Formula
---@field alt? string # words: what is to be seen
---@field [integer] any

---@class ViewHeat
---@field names? string[]
---@field alt? string # words: what is to be seen
---@field [integer] any

---@class ViewBars
---@field names? string[]
---@field alt? string # words: what is to be seen
---@field [integer] any

---@class ViewPlot
---@field over table # { "name", from, to, log =, label = }
---@field lines table[] # { formula, label = }
---@field marks? table[] # { formula, label = }
---@field alt? string # words: what is to be seen
---@field [integer] any

---@class ViewTable
---@field head? string[]
---@field names? string[]
---@field alt? string # words: what is to be seen
---@field [integer] Formula[]

---@class ViewCompare
---@field names? string[]
---@field alt? string # words: what is to be seen
---@field [integer] any

---@class ViewBlock
---@field sublayer function|string
---@field order? "post"|"pre"|"output"|"sandwich"|"none"|string
---@field eps? Formula # 1e-5
---@field alt? string # words: what is to be seen
---@field [integer] any

---@class ViewStack
---@field alt? string # words: what is to be seen
---@field [integer] any

---@class ViewLeak
---@field at? Formula # { sample, token }
---@field seed? Formula
---@field alt? string # words: what is to be seen
---@field [integer] any

---@class ViewProbes
---@field list? (string|Part)[]
---@field seed? Formula
---@field alt? string # words: what is to be seen
---@field [integer] any

---@class ViewPrecision
---@field types? Type[]
---@field methods? Method[]
---@field alt? string # words: what is to be seen
---@field [integer] any

---@class ViewCode
---@field alt? string # words: what is to be seen
---@field [integer] any

---@class ViewRow
---@field alt? string # words: what is to be seen
---@field [integer] View

---@class ViewColumn
---@field alt? string # words: what is to be seen
---@field [integer] View

-- ---- what a file is written in: kind "id" { ... } ----

---course.lua: return course "my-course" { format = 1, title = ..., lessons = { ... } }
---@param id string
---@return fun(fields: Course): CourseValue
function course(id) end

---A lesson's file: return lesson "mean" { ... }; the id is the file's name
---@param id string
---@return fun(fields: Lesson): LessonValue
function lesson(id) end

---Text, knobs and a view
---@param id string
---@return fun(fields: Step): Part
function step(id) end

---A wrong way: mistake "sum" { by = "x:sum()", say = "..." }
---@param id string
---@return fun(fields: Mistake): Part
function mistake(id) end

---What can be picked: option "a" { "words", right = true }
---@param id string
---@return fun(fields: Option): Part
function option(id) end

---What is put in order: piece "mean" { "take the mean" }
---@param id string
---@return fun(fields: string[]): Part
function piece(id) end

---A probe of one's own
---@param id string
---@return fun(fields: Probe): Part
function probe(id) end

---The solution with every `from` made `to`: replace { "from", "to" }
---@param words string[]
---@return Part
function replace(words) end

ask = {}

---One number
---@param id string
---@return fun(fields: AskNumber): Question
function ask.number(id) end

---A row, or rows
---@param id string
---@return fun(fields: AskNumber): Question
function ask.tensor(id) end

---A shape, or that there is none
---@param id string
---@return fun(fields: AskShape): Question
function ask.shape(id) end

---Picks among options
---@param id string
---@return fun(fields: AskChoice): Question
function ask.choice(id) end

---Puts pieces in order
---@param id string
---@return fun(fields: AskOrder): Question
function ask.order(id) end

---Mends a program
---@param id string
---@return fun(fields: AskCode): Question
function ask.code(id) end

knob = {}

---knob.log "eps" { 1e-12, 1, at = 1e-5 }
---@param name string a name in Lua
---@return fun(fields: NumberKnob): Knob
function knob.log(name) end

---knob.linear "s" { 0, 2 }
---@param name string a name in Lua
---@return fun(fields: NumberKnob): Knob
function knob.linear(name) end

---knob.int "depth" { 1, 64 }
---@param name string a name in Lua
---@return fun(fields: NumberKnob): Knob
function knob.int(name) end

---knob.switch "skip" { at = true }
---@param name string a name in Lua
---@return fun(fields: SwitchKnob): Knob
function knob.switch(name) end

---knob.pick "order" { "post", "pre" }
---@param name string a name in Lua
---@return fun(fields: PickKnob): Knob
function knob.pick(name) end

view = {}

---Rows before and after the norm: view.tokens { "x" }
---@param fields ViewTokens
---@return View
function view.tokens(fields) end

---One row through every stage of layer norm: view.pipeline { "x" }
---@param fields ViewPipeline
---@return View
function view.pipeline(fields) end

---What shares a mean: view.axes { "x", over = "token" }
---@param fields ViewAxes
---@return View
function view.axes(fields) end

---Cells shaded by magnitude: view.heat { "x" }
---@param fields ViewHeat
---@return View
function view.heat(fields) end

---Bars around zero: view.bars { "x" }
---@param fields ViewBars
---@return View
function view.bars(fields) end

---Curves over a variable
---@param fields ViewPlot
---@return View
function view.plot(fields) end

---Rows of formulas: view.table { { "x:mean()", "x:var()" } }
---@param fields ViewTable
---@return View
function view.table(fields) end

---Two tensors and their difference: view.compare { "a", "b" }
---@param fields ViewCompare
---@return View
function view.compare(fields) end

---One residual block, stage by stage
---@param fields ViewBlock
---@return View
function view.block(fields) end

---A trace of nn.stack
---@param fields ViewStack
---@return View
function view.stack(fields) end

---What moves one token's output: view.leak { "module" }
---@param fields ViewLeak
---@return View
function view.leak(fields) end

---What the probes say of a module
---@param fields ViewProbes
---@return View
function view.probes(fields) end

---A number's bits, and a variance by each method
---@param fields ViewPrecision
---@return View
function view.precision(fields) end

---Lines of a program
---@param fields ViewCode
---@return View
function view.code(fields) end

---Views beside each other
---@param fields ViewRow
---@return View
function view.row(fields) end

---Views below each other
---@param fields ViewColumn
---@return View
function view.column(fields) end

---What shared/NAME.lua returns; it is run once.
---@param name string
---@return any
function use(name) end

---The text of a file below files/, which the lesson declares: at most 256 KiB of UTF-8. Not at hand while the file runs.
---@param name string
---@return string
function file(name) end

-- ---- tensors ----

---Elements count from 1; axes are named feature, token, batch from the last one on, unless they were given other names.
---`+ - * / ^` work element by element between tensors that broadcast, and with numbers.
---@class Tensor
---@field shape integer[]
---@field type Type
---@field [integer] Tensor|number
---@operator add(Tensor|number): Tensor
---@operator sub(Tensor|number): Tensor
---@operator mul(Tensor|number): Tensor
---@operator div(Tensor|number): Tensor
---@operator pow(Tensor|number): Tensor
---@operator unm: Tensor
---@operator len: integer
local Tensor = {}

---The sum: x:sum("feature") is (..., 1), x:sum() a number.
---Errors: an axis that is not there
---@param axes? Axes # none: over all, as a number; named: they stay with one element
---@param options? { accumulate: Type }
---@return Tensor|number
function Tensor:sum(axes, options) end

---The mean: x:mean("feature").
---Errors: an axis that is not there
---@param axes? Axes # none: over all, as a number; named: they stay with one element
---@param options? { accumulate: Type }
---@return Tensor|number
function Tensor:mean(axes, options) end

---The variance, divided by n: x:var("feature", { unbiased = true }) divides by n - 1.
---Errors: options where the axes should stand
---@param axes? Axes # none: over all, as a number; named: they stay with one element
---@param options? { unbiased: boolean, accumulate: Type, method: Method }
---@return Tensor|number
function Tensor:var(axes, options) end

---The root of the variance: x:std("feature").
---Errors: options where the axes should stand
---@param axes? Axes # none: over all, as a number; named: they stay with one element
---@param options? { unbiased: boolean, accumulate: Type, method: Method }
---@return Tensor|number
function Tensor:std(axes, options) end

---The largest element: x:max("token").
---Errors: no elements
---@param axes? Axes # none: over all, as a number; named: they stay with one element
---@return Tensor|number
function Tensor:max(axes) end

---The smallest element: x:min("token").
---Errors: no elements
---@param axes? Axes # none: over all, as a number; named: they stay with one element
---@return Tensor|number
function Tensor:min(axes) end

---A part, or an element: x:at(2, 1) is x[2][1].
---Errors: an index outside 1 to the axis's size
---@param i integer
---@param ... integer
---@return Tensor|number
function Tensor:at(i, ...) end

---A changed copy: x:with({ 1, 2 }, 9).
---Errors: a part of another shape
---@param index integer[]
---@param value number|Tensor
---@return Tensor
function Tensor:with(index, value) end

---Changes the tensor itself: x:set({ 1, 2 }, 9).
---Errors: the tensor is a fact, or has been computed with
---@param index integer[]
---@param value number|Tensor
---@return Tensor
function Tensor:set(index, value) end

---A copy of another type: x:cast("float16").
---Errors: no such type
---@param type Type
---@return Tensor
function Tensor:cast(type) end

---The same elements; no gradient goes further back: x:detach().
---@return Tensor
function Tensor:detach() end

---Two axes exchanged, the last two if none are named: x:transpose().
---Errors: fewer than two axes
---@param first? string|integer
---@param second? string|integer
---@return Tensor
function Tensor:transpose(first, second) end

---(..., rows, inner) times (..., inner, columns): a:matmul(b).
---Errors: fewer than two axes, or inner sizes that differ
---@param other Tensor
---@return Tensor
function Tensor:matmul(other) end

---@class tensorlib
---@overload fun(list: number[]|table[]|Tensor, names?: string[]): Tensor
tensor = {}

---tensor.zeros { 2, 3 }
---@param shape integer[] # 1 to 8 sizes
---@param names? string[]
---@return Tensor
function tensor.zeros(shape, names) end

---tensor.ones { 2, 3 }
---@param shape integer[] # 1 to 8 sizes
---@param names? string[]
---@return Tensor
function tensor.ones(shape, names) end

---tensor.full({ 2, 3 }, 0.5)
---@param shape integer[] # 1 to 8 sizes
---@param value number
---@param names? string[]
---@return Tensor
function tensor.full(shape, value, names) end

---Along a new first axis: tensor.stack { a, b }
---Errors: shapes that differ
---@param parts Tensor[]
---@return Tensor
function tensor.stack(parts) end

---The shape that both have together: tensor.broadcast({ 2, 1 }, { 3 }) is (2, 3).
---@param a Tensor|integer[]
---@param b Tensor|integer[]
---@return integer[]|"error"
function tensor.broadcast(a, b) end

---A .npy file below files/, which the lesson declares: tensor.load "x.npy"
---Errors: not declared; no array; more than 64 MiB
---@param name string
---@return Tensor
function tensor.load(name) end

---(..., rows, inner) times (..., inner, columns)
---Errors: fewer than two axes, or inner sizes that differ
---@param a Tensor
---@param b Tensor
---@return Tensor
function tensor.matmul(a, b) end

-- ---- numbers and tensors ----

---sqrt(2), sqrt(x)
---@generic T: number|Tensor
---@param x T
---@return T
function sqrt(x) end

---exp(2), exp(x)
---@generic T: number|Tensor
---@param x T
---@return T
function exp(x) end

---log(2), log(x)
---@generic T: number|Tensor
---@param x T
---@return T
function log(x) end

---tanh(2), tanh(x)
---@generic T: number|Tensor
---@param x T
---@return T
function tanh(x) end

---abs(2), abs(x)
---@generic T: number|Tensor
---@param x T
---@return T
function abs(x) end

---max(a, b) element by element; max(x) of one tensor is a number.
---@param ... number|Tensor
---@return number|Tensor
function max(...) end

---min(a, b) element by element; min(x) of one tensor is a number.
---@param ... number|Tensor
---@return number|Tensor
function min(...) end

pi = 3.14159265358979
inf = 1 / 0
nan = 0 / 0

---The gradient of the loss: grad((w * w):sum("all"), w), or of a table: grad(loss, { w = w }).w
---Errors: a loss that is a number, or of several elements
---@param loss Tensor # one element
---@param x Tensor|table
---@return Tensor|table
function grad(loss, x) end

-- ---- layers ----

---@class Statistics
---@field mean? Tensor
---@field var Tensor
---@field rstd Tensor
---@field running_mean? Tensor
---@field running_var? Tensor

nn = {}

---local y, statistics = nn.layer_norm(x, { scale = g, bias = b })
---Errors: an unknown option
---@param x Tensor
---@param options? { axes: Axes, eps: number, scale: Tensor, bias: Tensor, accumulate: Type, method: Method }
---@return Tensor y
---@return Statistics statistics
function nn.layer_norm(x, options) end

---local y = nn.rms_norm(x)
---Errors: an unknown option
---@param x Tensor
---@param options? { axes: Axes, eps: number, scale: Tensor, bias: Tensor, accumulate: Type }
---@return Tensor y
---@return Statistics statistics
function nn.rms_norm(x, options) end

---The layer norm of x + update, and the sum: local y, sum = nn.add_layer_norm(x, update)
---@param x Tensor
---@param update Tensor
---@param options? { axes: Axes, eps: number, scale: Tensor, bias: Tensor, accumulate: Type, method: Method }
---@return Tensor y
---@return Tensor sum
---@return Statistics statistics
function nn.add_layer_norm(x, update, options) end

---The RMS norm of x + update, and the sum: local y, sum = nn.add_rms_norm(x, update)
---@param x Tensor
---@param update Tensor
---@param options? { axes: Axes, eps: number, scale: Tensor, bias: Tensor, accumulate: Type }
---@return Tensor y
---@return Tensor sum
---@return Statistics statistics
function nn.add_rms_norm(x, update, options) end

---Each channel over all other axes: nn.batch_norm(x)
---@param x Tensor
---@param options? { channel: string|integer, eps: number, momentum: number, training: boolean, scale: Tensor, bias: Tensor, running_mean: Tensor, running_var: Tensor }
---@return Tensor y
---@return Statistics statistics
function nn.batch_norm(x, options) end

---Groups of channels: nn.group_norm(x, { groups = 2 })
---Errors: no groups, or channels that they do not divide
---@param x Tensor
---@param options { groups: integer, channel: string|integer, axes: Axes, eps: number, scale: Tensor, bias: Tensor }
---@return Tensor y
---@return Statistics statistics
function nn.group_norm(x, options) end

---Each channel by itself: nn.instance_norm(x)
---@param x Tensor
---@param options? { channel: string|integer, axes: Axes, eps: number, scale: Tensor, bias: Tensor }
---@return Tensor y
---@return Statistics statistics
function nn.instance_norm(x, options) end

---nn.dropout(x, { rate = 0.1, random = random })
---Errors: a rate that is not from 0 up to 1, without it
---@param x Tensor
---@param options { rate: number, random: Random|Tensor }
---@return Tensor y
---@return Tensor mask
function nn.dropout(x, options) end

---x weight^T + bias: nn.linear(x, w, b)
---Errors: sizes that do not fit
---@param x Tensor # (..., in)
---@param weight Tensor # (out, in)
---@param bias? Tensor # (out,)
---@return Tensor # (..., out)
function nn.linear(x, weight, bias) end

---nn.relu(x)
---@param x Tensor
---@return Tensor
function nn.relu(x) end

---nn.silu(x)
---@param x Tensor
---@return Tensor
function nn.silu(x) end

---nn.gelu(x); nn.gelu { approximate = "tanh" } is a function.
---@param x Tensor|{ approximate: "none"|"tanh" }
---@param options? { approximate: "none"|"tanh" }
---@return any
function nn.gelu(x, options) end

---Over the last axis, or those named: nn.softmax(x)
---@param x Tensor
---@param axes? Axes
---@return Tensor
function nn.softmax(x, axes) end

---nn.attention(x, { heads = 2, query = wq, key = wk, value = wv })
---Errors: heads that do not divide the features
---@param x Tensor # (..., token, feature)
---@param options? { heads: integer, causal: boolean, query: Tensor|Tensor[], key: Tensor|Tensor[], value: Tensor|Tensor[], out: Tensor|Tensor[] }
---@return Tensor y
---@return Tensor weights # (..., head, query, key)
function nn.attention(x, options) end

---nn.feed_forward(x, { up = w1, down = w2 })
---@param x Tensor
---@param options? { up: Tensor|Tensor[], down: Tensor|Tensor[], activation: "gelu"|"gelu_tanh"|"relu"|"silu"|"tanh"|function }
---@return Tensor
function nn.feed_forward(x, options) end

---nn.block(x, { order = "pre", sublayers = { f } })
---Errors: an update of another shape than the stream's
---@param x Tensor
---@param options { order: "pre"|"post"|"none", sublayers: function[], norm: "layer"|"rms", eps: number, norms: table[], final_norm: boolean|table }
---@return Tensor
function nn.block(x, options) end

---A trace for view.stack: nn.stack(x, { depth = 8, order = "pre", sublayer = f })
---Errors: a depth that is not from 1 to 64
---@param x Tensor
---@param options { depth: integer, order: "pre"|"post"|"none", sublayer: (fun(x: Tensor, layer: integer): Tensor), final_norm: boolean, eps: number, off: integer[], dropout: { rate: number, random: Random|Tensor }, gradient: (fun(out: Tensor): Tensor) }
---@return table trace
function nn.stack(x, options) end

---local step = nn.sgd { lr = 0.1 }; w = step(w, g)
---Errors: no lr
---@param options { lr: number, momentum: number, dampening: number, weight_decay: number, nesterov: boolean }
---@return fun(parameters: Tensor|table, gradients: Tensor|table): Tensor|table
function nn.sgd(options) end

---local step = nn.adam { lr = 1e-3 }; w = step(w, g)
---@param options? { lr: number, betas: number[], eps: number, weight_decay: number }
---@return fun(parameters: Tensor|table, gradients: Tensor|table): Tensor|table
function nn.adam(options) end

-- ---- random: what `data` and probes are given ----

---@class Random
local Random = {}

---random:normal { 2, 3, mean = 0, std = 1, places = 2 }
---Errors: an unknown key
---@param options { [integer]: integer, mean: number, std: number, places: integer }
---@return Tensor
function Random:normal(options) end

---random:uniform { 4, from = 0, to = 1 }
---@param options { [integer]: integer, from: number, to: number, places: integer }
---@return Tensor
function Random:uniform(options) end

---random:integers { 4, from = 1, to = 9, distinct = true }
---Errors: not as many distinct numbers
---@param options { [integer]: integer, from: integer, to: integer, distinct: boolean }
---@return Tensor
function Random:integers(options) end

---random:integer(1, 6)
---@param from integer
---@param to integer
---@return integer
function Random:integer(from, to) end

---random:pick { "a", "b" }
---Errors: an empty list
---@param list any[]
---@return any
function Random:pick(list) end

---A new list: random:shuffle { 1, 2, 3 }
---@param list any[]
---@return any[]
function Random:shuffle(list) end
