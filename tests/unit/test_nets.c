/* Gradients, layers and optimizers in Lua, beside PyTorch's transformer layers and nets in training (tests/data/torch-nets.lua, made
   by scripts/make-torch-values). */
#include "engine_help.h"

#include <math.h>

static void assert_prints(const char *source, const char *want)
{
    char *text = help_printed(source, &(struct engine_limits){ .cpu_seconds = 30 });
    assert_string_equal(text, want);
    free(text);
}

/* Runs the checks on `data`, what the file returns. */
static void assert_data_prints(const char *checks, const char *want)
{
    char *data = help_file("tests/data/torch-nets.lua");
    size_t size = strlen(data) + strlen(checks) + 1000;
    char *source = calloc(1, size);
    assert_non_null(source);
    snprintf(source, size,
             "local data = (function()\n%s\nend)()\n"
             "local function near(got, want, bound, what)\n"
             "  if type(want) == 'table' then want = tensor(want) end\n"
             "  assert(got.shape == want.shape, what)\n"
             "  local off = abs(got - want):max() / max(1e-3, abs(want):max())\n"
             "  assert(off < bound, string.format('%%s is off by %%g', what, off))\n"
             "end\n%s",
             data, checks);
    assert_prints(source, want);
    free(source);
    free(data);
}

static void blocks_are_pytorch_s(void **state)
{
    (void)state;
    assert_data_prints(
        "for n, c in ipairs(data.blocks) do\n"
        "  local p = {}\n"
        "  for key, value in pairs(c.weights) do p[key] = tensor(value) end\n"
        "  p.x = tensor(c.x)\n"
        "  local width = p.x.shape[3]\n"
        "  local function rows(t, from, to) local list = {} for i = from, to do list[#list + 1] = t[i] end return tensor.stack(list) end\n"
        "  -- PyTorch has the three projections in one\n"
        "  local function scalars(t, from, to) local list = {} for i = from, to do list[#list + 1] = t:at(i) end return tensor(list) end\n"
        "  local function third(k) return rows(p.self_attn_in_proj_weight, (k - 1) * width + 1, k * width) end\n"
        "  local b = {}\n"
        "  for k = 1, 3 do b[k] = scalars(p.self_attn_in_proj_bias, (k - 1) * width + 1, k * width) end\n"
        "  local out = nn.block(p.x, {\n"
        "    order = c.order, final_norm = c.final,\n"
        "    norms = { { scale = p.norm1_weight, bias = p.norm1_bias }, { scale = p.norm2_weight, bias = p.norm2_bias } },\n"
        "    sublayers = {\n"
        "      function(h) return nn.attention(h, { heads = c.heads, query = { third(1), b[1] }, key = { third(2), b[2] }, value = { third(3), b[3] },\n"
        "        out = { p.self_attn_out_proj_weight, p.self_attn_out_proj_bias } }) end,\n"
        "      function(h) return nn.feed_forward(h, { activation = c.activation, up = { p.linear1_weight, p.linear1_bias },\n"
        "        down = { p.linear2_weight, p.linear2_bias } }) end,\n"
        "    } })\n"
        "  near(out, c.y, 2e-6, 'block ' .. n)\n"
        "  local g = grad((out * tensor(c.dy)):sum('all'), p)\n"
        "  near(g.x, c.dx, 5e-6, 'dx ' .. n)\n"
        "  local db = grad((out * tensor(c.dy)):sum('all'), b)\n"
        "  for key, want in pairs(c.gradients) do\n"
        "    if key ~= 'self_attn_in_proj_bias' then near(g[key], want, 5e-6, key .. n) end\n"
        "  end\n"
        "  for k = 1, 3 do\n"
        "    local want = tensor(c.gradients.self_attn_in_proj_bias)\n"
        "    assert(abs(db[k] - scalars(want, (k - 1) * width + 1, k * width)):max() < 1e-5 * max(1, abs(want):max()))\n"
        "  end\n"
        "end\n"
        "print(#data.blocks)",
        "4\n");
}

static void nets_learn_as_pytorch_s(void **state)
{
    (void)state;
    assert_data_prints(
        "local steps = 0\n"
        "for n, c in ipairs(data.trained) do\n"
        "  local p = {}\n"
        "  for key, value in pairs(c.weights) do p[key] = tensor(value) end\n"
        "  local x, target, step = tensor(c.x), tensor(c.target), nn[c.optimizer](c.options)\n"
        "  for i, want in ipairs(c.losses) do\n"
        "    local h = nn.layer_norm(nn.linear(x, p.up_weight, p.up_bias), { scale = p.norm_weight, bias = p.norm_bias })\n"
        "    local d = nn.linear(nn.gelu(h), p.down_weight, p.down_bias) - target\n"
        "    local loss = (d * d):mean('all')\n"
        "    local off = abs(loss[1][1] - want) / want\n"
        "    assert(off < 3e-6, string.format('net %d, step %d: the loss is off by %g', n, i, off))\n"
        "    p = step(p, grad(loss, p))\n"
        "    steps = steps + 1\n"
        "  end\n"
        "  assert(c.losses[#c.losses] < c.losses[1])\n"
        "  for key, want in pairs(c.last) do near(p[key], want, 2e-5, 'net ' .. n .. ' ' .. key) end\n"
        "end\n"
        "print(#data.trained, steps)",
        "6\t240\n");
}

static void stacks_tell_their_gradients(void **state)
{
    (void)state;
    assert_data_prints(
        "local function close(got, want, what) assert(abs(got - want) < 3e-6 * max(1, abs(want)), what .. ' ' .. got .. ' ' .. want) end\n"
        "for n, c in ipairs(data.stacks) do\n"
        "  local dy = tensor(c.dy)\n"
        "  local trace = nn.stack(tensor(c.x), { depth = c.depth, order = c.order, off = c.off, final_norm = c.final_norm,\n"
        "    sublayer = function(h, layer) return tanh(h * tensor(c.w[layer])) end,\n"
        "    gradient = function(out) return (out * dy):sum('all') end })\n"
        "  close(trace.loss, c.loss, 'loss')\n"
        "  close(trace.gradient, c.gradients[1], 'start')\n"
        "  close(trace.out_gradient, c.gradients[c.depth + 2], 'end')\n"
        "  for i = 1, c.depth do close(trace.layers[i].gradient, c.gradients[i + 1], 'layer ' .. i) end\n"
        "end\n"
        "print(#data.stacks)",
        "6\n");
    /* What is inside the trace can be asked for too, and a branch that is off has no part in it. */
    assert_prints("local x = tensor { 1, 2, 3, 4 }\n"
                  "local trace = nn.stack(x, { depth = 3, order = 'none', off = { 2 }, sublayer = function(h) return h * 2 end })\n"
                  "local loss = trace.out:sum('all')\n"
                  "print(trace.gradient, grad(loss, x), grad(loss, trace.layers[1].stream), grad(loss, trace.layers[2].update), grad(loss, trace.layers[3].update))",
                  "nil\t[9, 9, 9, 9]\t[3, 3, 3, 3]\t[3, 3, 3, 3]\t[1, 1, 1, 1]\n");
}

static void words_of_grad(void **state)
{
    (void)state;
    assert_prints("local x, w = tensor { 1, 2, 3 }, tensor({ 4, 5, 6 }, { 'in' })\n"
                  "local loss = (x * w * x):sum('all')\n"
                  "print(grad(loss, x), grad(loss, { x, w })[2], grad(loss, { a = w, b = x }).b, grad(loss, x:detach()), grad(loss, tensor { 7 }))\n"
                  "local y = x:detach() * 2\n"
                  "print(grad((y * x):sum('all'), x), #grad(loss, {}))\n"
                  "print(grad(grad(loss, x):sum('all'), x))\n" /* a gradient begins anew */
                  "print(x:with({ 2 }, 9), grad(x:with({ 2 }, 9):sum('all'), x), grad((x[2] * tensor { 1, 1 }[1] + x):sum('all'), x))\n"
                  "local m = tensor { { 1, 2, 3 }, { 4, 5, 6 } }\n"
                  "print(m:transpose().shape, m:transpose('feature', 'token'):matmul(m).shape, tensor.matmul(m, m:transpose(-1, -2)))\n"
                  "print(grad(m:matmul(m:transpose()):sum('all'), m))",
                  "[8, 20, 36]\t[1, 4, 9]\t[8, 20, 36]\t[0, 0, 0]\t[0]\n"
                  "[2, 4, 6]\t0\n"
                  "[0, 0, 0]\n"
                  "[1, 9, 3]\t[1, 0, 1]\t[1, 1, 1]\n"
                  "(3, 2)\t(3, 3)\t[[14, 32], [32, 77]]\n"
                  "[[10, 14, 18], [10, 14, 18]]\n");
}

static void layers_in_a_line_each(void **state)
{
    (void)state;
    assert_prints("local x = tensor { { 1, 2, 3, 6 }, { 2, 2, 0, 4 } }\n"
                  "print(nn.linear(x, tensor({ { 1, 1, 1, 1 }, { 1, 0, 0, -1 } }, { 'out', 'in' }), tensor { 0.5, 1 }))\n"
                  "print(nn.relu(x - 2), nn.softmax(x - x)[1], nn.softmax(x - x, 'token')[1])\n"
                  "print(nn.gelu(tensor { 1 }), nn.gelu(tensor { 1 }, { approximate = 'tanh' }), nn.silu(tensor { 1 }))\n"
                  "local y, stats = nn.batch_norm(x, { eps = 0, running_mean = tensor.zeros { 4 }, running_var = tensor.ones { 4 } })\n"
                  "print(y[1], stats.running_mean, stats.running_var, stats.mean)\n"
                  "print(nn.batch_norm(x, { training = false, eps = 0, running_mean = tensor { 1, 1, 1, 1 }, running_var = tensor { 4, 4, 4, 4 } })[1])\n"
                  "local g, s = nn.group_norm(x, { groups = 2, eps = 0 }) print(g[1], s.mean.shape)\n"
                  "print((nn.instance_norm(tensor { { { 1, 5 }, { 3, 9 } } }, { eps = 0, scale = tensor { 2, 1 } })))\n"
                  "local a, weights = nn.attention(x - x, {}) print(a[2], weights)\n"
                  "print((nn.block(x, { order = 'none', sublayers = { function(h) return h end, function(h) return h * 2 end } }))[1])\n"
                  "print((nn.feed_forward(x, { activation = function(h) return h * 0 end, down = { tensor { { 1, 0, 0, 0 } }, tensor { 3 } } })))",
                  "[[12.5, -4.0], [8.5, -1.0]]\n"
                  "[[0, 0, 1, 4], [0, 0, 0, 2]]\t[0.25, 0.25, 0.25, 0.25]\t[0.5, 0.5, 0.5, 0.5]\n"
                  "[0.8413]\t[0.8412]\t[0.7311]\n"
                  "[-1, nan, 1, 1]\t[0.15, 0.20, 0.15, 0.50]\t[0.95, 0.90, 1.35, 1.10]\t[[1.5, 2.0, 1.5, 5.0]]\n"
                  "[0.0, 0.5, 1.0, 2.5]\n"
                  "[-1, 1, -1, 1]\t(2, 2)\n"
                  "[[[-2, -1], [2, 1]]]\n"
                  "[0, 0, 0, 0]\t[[[1, 0], [0.5, 0.5]]]\n"
                  "[6, 12, 18, 36]\n"
                  "[[3], [3]]\n");
}

static void an_add_and_its_norm(void **state)
{
    (void)state;
    assert_prints("local x = tensor { { 1, 2, 3, 6 }, { 2, 2, 0, 4 } }\n"
                  "local y, sum, s = nn.add_rms_norm(x, tensor { { -1, -2, 3, 2 }, { 0, 0, 0, 0 } }, { eps = 0 })\n"
                  "print(y[1], sum, s.mean, s.var)\n"
                  "y, sum, s = nn.add_layer_norm(x, tensor { 0, 0, 1, 0 }, { axes = 'token', eps = 0, scale = tensor { 1, 1, 2, 3 }, bias = tensor { 0, 0, 1, 0 } })\n"
                  "print(y, sum, s.mean, s.rstd[1])\n"
                  "local u = x * x\n"
                  "y, sum = nn.add_layer_norm(x, u)\n"
                  "local dx, du = table.unpack(grad((y * y * y + 2 * sum):sum('all'), { x, u }))\n"
                  "local h = nn.layer_norm(x + u)\n"
                  "local direct = grad((h * h * h + 2 * (x + u)):sum('all'), { x, u })\n"
                  "print(y == h, abs(dx - direct[1]):max(), abs(du - direct[2]):max())\n"
                  "print((nn.add_layer_norm(x:cast('float16'), x:cast('float16'))).type)",
                  "[0.0, 0.0, 1.2, 1.6]\t[[0, 0, 6, 8], [2, 2, 0, 4]]\tnil\t[[25], [6]]\n"
                  "[[-1, nan, 3, 3], [1, nan, -1, -3]]\t[[1, 2, 4, 6], [2, 2, 1, 4]]\t[[1.5, 2.0, 2.5, 5.0]]\t[2.000, inf, 0.667, 1.000]\n"
                  "true\t0\t0\n"
                  "float16\n");
}

static void what_is_refused(void **state)
{
    (void)state;
    static const struct { const char *call, *words; } cases[] = {
        { "grad(x:sum(), x)", "the loss of grad is a number, of which nothing more is known; x:sum(\"all\") and its like keep a tensor" },
        { "grad(x, x)", "a gradient is that of one number: the loss has the shape (2,3); sum it first" },
        { "grad(x:sum('all'), 5)", "grad needs a tensor or a table of tensors, not a number" },
        { "grad(x:sum('all'), { x, 5 })", "grad is asked with respect to tensors: `2` is a number" },
        { "(function() local y = x * 2 x:set({ 1, 1 }, 5) end)()",
          "this tensor has been computed with, and gradients may be asked for: it cannot be changed; x:with{…} makes a changed copy" },
        { "(x * 2):set({ 1, 1 }, 5)",
          "this tensor has been computed with, and gradients may be asked for: it cannot be changed; x:with{…} makes a changed copy" },
        { "(function() local y = x * 2 x[1]:set({ 1 }, 5) end)()",
          "this tensor has been computed with, and gradients may be asked for: it cannot be changed; x:with{…} makes a changed copy" },
        { "x:matmul(x)", "cannot multiply the matrices of (2,3) by those of (2,3): feature is 3, token is 2" },
        { "x:transpose('batch', 'token')", "no axis \"batch\": there are token, feature" },
        { "x:transpose({ 'token', 'feature' })", "one axis is needed here" },
        { "nn.linear(x, x:transpose())", "the weight (3,2) does not fit x (2,3): token is 2, feature is 3" },
        { "nn.linear(x, x, x)", "the bias (2,3) does not fit the weight (2,3): it needs one number for each of 2" },
        { "nn.gelu(x, { approximate = 'erf' })", "nn.gelu: `approximate` must be \"none\" or \"tanh\"" },
        { "nn.gelu(x, { aproximate = 'tanh' })", "unknown option of nn.gelu `aproximate`; did you mean `approximate`?" },
        { "nn.softmax(x, 'batch')", "no axis \"batch\": there are token, feature" },
        { "nn.attention(x, { heads = 2 })", "3 features of (2, 3) cannot be shared out among 2 heads" },
        { "nn.attention(x, { query = 3 })", "`query` must be a weight, or { weight, bias }, not a number" },
        { "nn.attention(x, { heads = 0 })", "nn.attention: `heads` must be a whole number from 1 on" },
        { "nn.feed_forward(x, { activation = 'geluu' })", "`activation` must be \"gelu\", \"gelu_tanh\", \"relu\", \"silu\", \"tanh\" or a function" },
        { "nn.block(x, { sublayers = {} })", "nn.block: `order` must be \"pre\", \"post\" or \"none\"" },
        { "nn.block(x, { order = 'pre', sublayers = { function(h) return h[1] end } })",
          "nn.block: the update of sublayer 1 is (3,) and the stream (2, 3): their shapes must be the same" },
        { "nn.block(x, { order = 'pre', sublayers = { function(h) end } })", "nn.block: sublayer 1 must return a tensor, not a nil value" },
        { "nn.block(x, { order = 'pre', sublayers = {}, norm = 'batch' })", "nn.block: `norm` must be \"layer\" or \"rms\"" },
        { "nn.add_layer_norm(x, x[1][1])", "bad argument #2 to 'add_layer_norm' (tensor expected, got number)" },
        { "nn.add_layer_norm(x, tensor { 1, 2 })", "update (2,) does not fit (2,3): feature is 2, not 3" },
        { "nn.add_rms_norm(x, x, { axes = 'batch' })", "no axis \"batch\": there are token, feature" },
        { "nn.add_rms_norm(x, x, { scale = tensor { 1, 2 } })", "scale (2,) does not fit (2,3): feature is 2, not 3" },
        { "nn.add_layer_norm(x, x, { epsilon = 1 })", "unknown option `epsilon`; there are axes, eps, scale, bias, accumulate, method" },
        { "nn.batch_norm(x, { training = false })", "batch norm in evaluation needs the running mean and variance" },
        { "nn.batch_norm(x, { channel = 'token', scale = tensor { 1, 2, 3 } })", "scale (3,) does not fit (2,3): it needs one number for each of 2 of token" },
        { "nn.batch_norm(x[1]:transpose())", "a tensor with 1 axes has no two to exchange" },
        { "nn.batch_norm(x, { channel = 'all' })", "`channel` must be one axis" },
        { "nn.group_norm(x, { groups = 2 })", "axis feature of (2, 3) has size 3, which cannot be shared out among 2 groups" },
        { "nn.group_norm(x)", "nn.group_norm: `groups` must be a whole number from 1 on" },
        { "nn.instance_norm(x)", "a norm needs at least one axis to normalize over" },
        { "nn.adam { rate = 1 }", "unknown option of nn.adam `rate`; there are lr, betas, eps, weight_decay" },
        { "nn.adam { betas = { 0.9, 1 } }", "nn.adam: `betas` must be from 0 up to 1.0, without it: it is 1.0" },
        { "nn.sgd {}", "nn.sgd: `lr` must be given, and not be negative" },
        { "nn.sgd { lr = 1, nesterov = true }", "nn.sgd: `nesterov` needs a `momentum`, and no `dampening`" },
        { "nn.sgd { lr = 1 }({ x }, { x[1] })", "the gradient of a parameter of (2,3) has the shape (3,): they must be the same" },
        { "nn.sgd { lr = 1 }({ x }, {})", "the gradient of `1` of an optimizer's step must be a tensor, not a nil value" },
        { "nn.stack(x, { depth = 1, order = 'pre', sublayer = nn.relu, gradient = 1 })",
          "nn.stack: `gradient` must be a function from the result to a loss, not a number" },
        { "nn.stack(x, { depth = 1, order = 'pre', sublayer = nn.relu, gradient = function(out) return out:sum() end })",
          "nn.stack: `gradient` must return the loss, a tensor of one element, not a number" },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        char source[1000], want[500];
        snprintf(source, sizeof source, "local x = tensor { { 1, 2, 3 }, { 4, 5, 6 } }\nprint(select(2, pcall(function() return %s end)))", cases[i].call);
        snprintf(want, sizeof want, "%s\n", cases[i].words);
        if (strncmp(cases[i].call, "(function", 9) == 0)
            snprintf(source, sizeof source, "local x = tensor { { 1, 2, 3 }, { 4, 5, 6 } }\nprint(select(2, pcall(function() %s end)))", cases[i].call);
        char *text = help_printed(source, NULL), *words = strstr(text, cases[i].words);
        if (!words || strcmp(words, want))
            fail_msg("%s: %s", cases[i].call, text);
        free(text);
    }
}

/* The facts of a lesson have gradients; what a learner's program does has none. */
static void facts_have_gradients(void **state)
{
    (void)state;
    static const char *const source = LESSON(
        "data = function(random) return { x = random:integers { 2, 3, from = 2, to = 2 }, w = tensor { 1, 2, 3 } } end,\n"
        "given = { loss = '(x * w):sum(\"all\")' },\n"
        "step 's' { edit = { 'x' }, text = '{grad(loss, x)[1]} {grad(loss, { x, w })[2]} {grad((x[2] * x[2]):sum(\"all\"), x)[2]}' }");
    struct request request = help_frame(source, "s");
    struct scene *scene = help_step(&request);
    assert_string_equal(scene->step->text, "[1, 2, 3] [4, 4, 4] [4, 4, 4]");
    scene_free(scene);
}

/* Steps of training that nobody keeps leave no memory behind, nor does a long record. */
static void stays_in_its_memory(void **state)
{
    (void)state;
    char *text = help_printed("local w = tensor.ones { 64, 64 }\nlocal x, step = tensor.ones { 64, 64 }, nn.adam()\n"
                                "for i = 1, 400 do local y = nn.layer_norm(nn.gelu(nn.linear(x, w))) w = step(w, grad((y * y):sum('all'), w)) end print('done')",
                                &(struct engine_limits){ .memory = 8 << 20, .cpu_seconds = 60 });
    assert_string_equal(text, "done\n");
    free(text);
    text = help_printed("local x = tensor { 1 }\nlocal y = x\nfor i = 1, 20000 do y = y * 1 end print(grad(y, x))",
                          &(struct engine_limits){ .memory = 64 << 20, .cpu_seconds = 60 });
    assert_string_equal(text, "[1]\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_pytorch_s),   cmocka_unit_test(nets_learn_as_pytorch_s), cmocka_unit_test(stacks_tell_their_gradients),
        cmocka_unit_test(words_of_grad),          cmocka_unit_test(layers_in_a_line_each),   cmocka_unit_test(what_is_refused),
        cmocka_unit_test(facts_have_gradients),   cmocka_unit_test(stays_in_its_memory),     cmocka_unit_test(an_add_and_its_norm),
    };
    return cmocka_run_group_tests_name("nn: gradients and layers", tests, NULL, NULL);
}
