/* nn.stack beside PyTorch's numbers (tests/data/torch-stacks.lua, made by scripts/make-torch-values), and its view. */
#include "engine_help.h"

#include <math.h>

static char *printed(const char *source)
{
    return help_printed(source, NULL);
}

static void assert_prints(const char *source, const char *want)
{
    char *text = printed(source);
    assert_string_equal(text, want);
    free(text);
}

static void agrees_with_pytorch(void **state)
{
    (void)state;
    static const char *const checks =
        "local layers = 0\n"
        "local function same(got, want, what, n)\n"
        "  if type(want) == 'table' then want = tensor(want) end\n"
        "  if type(want) == 'number' or type(want) == 'userdata' then\n"
        "    if type(want) == 'userdata' then assert(got.shape == want.shape, what) end\n"
        "    local off = type(want) == 'number' and abs(got - want) or abs(got - want):max()\n"
        "    assert(off < 3e-6, string.format('case %d: %s is off by %g', n, what, off))\n"
        "  else\n"
        "    assert(got == want, string.format('case %d: %s is %s, not %s', n, what, got, want))\n"
        "  end\n"
        "end\n"
        "for n, c in ipairs(cases) do\n"
        "  local trace = nn.stack(tensor(c.x), {\n"
        "    depth = c.depth, order = c.order, final_norm = c.final_norm, off = c.off, eps = c.eps,\n"
        "    dropout = c.rate and { rate = c.rate, random = tensor(c.random) } or nil,\n"
        "    sublayer = function(h, layer) return tanh(h * tensor(c.w[layer])) + h:mean('feature') * tensor(c.v[layer]) end,\n"
        "  })\n"
        "  for _, name in ipairs { 'x', 'out', 'order', 'depth', 'final_norm' } do same(trace[name], c[name], name, n) end\n"
        "  assert(#trace.layers == #c.layers)\n"
        "  for i, layer in ipairs(c.layers) do\n"
        "    for _, name in ipairs { 'stream', 'update', 'kept', 'norm', 'variance', 'share', 'off' } do\n"
        "      same(trace.layers[i][name], layer[name], 'layer ' .. i .. ', ' .. name, n)\n"
        "    end\n"
        "    layers = layers + 1\n"
        "  end\n"
        "end\n"
        "print(#cases, layers)\n";
    char *data = help_file("tests/data/torch-stacks.lua");
    size_t size = strlen(data) + strlen(checks) + 100;
    char *source = calloc(1, size);
    assert_non_null(source);
    snprintf(source, size, "local cases = (function()\n%s\nend)()\n%s", data, checks);
    assert_prints(source, "12\t30\n");
    free(source);
    free(data);
}

static void the_words_of_the_course(void **state)
{
    (void)state;
    /* A sublayer that returns 0 leaves the stream; dropout acts on the update, not on the sum. */
    assert_prints("local x = tensor { 1, 2, 3, 4 }\n"
                  "local zero = nn.stack(x, { depth = 3, order = 'none', sublayer = function(h) return h * 0 end })\n"
                  "local kept = nn.stack(x, { depth = 1, order = 'none', sublayer = function() return tensor { .5, -.5, 1, 0 } end,\n"
                  "  dropout = { rate = .5, random = tensor { { .5, .1, .2, .3 } } } })\n"
                  "local post = nn.stack(tensor { 1, 7, 9, 15 }, { depth = 1, order = 'post', eps = 0, off = { 1 }, sublayer = function(h) return h end })\n"
                  "print(zero.out, kept.out, kept.layers[1].update, kept.layers[1].kept, post.out, #zero.layers)",
                  "[1, 2, 3, 4]\t[2, 2, 3, 4]\t[1, 0, 0, 0]\t0.25\t[-1.4, -0.2, 0.2, 1.4]\t3\n");
    assert_prints("local function F(h) local t = {}\n"
                  "  for i = 1, 3, 2 do t[i], t[i + 1] = h[i] + h[i + 1], h[i] - h[i + 1] end\n"
                  "  return tensor(t) end\n"
                  "for _, order in ipairs { 'post', 'pre' } do print(nn.stack(tensor { 1, 7, 9, 15 }, { depth = 1, order = order, sublayer = F }).out) end",
                  "[-0.333, -1.000, 1.667, -0.333]\n[-0.6, 5.8, 10.6, 13.8]\n");
}

static void every_branch_keeps_its_luck(void **state)
{
    (void)state;
    static const char *const source = LESSON(
        "data = function(random)\n"
        "  local x, luck = random:normal { 2, 4 }, random:uniform { 3, 2, 4 }\n"
        "  local function run(off, random, depth) return nn.stack(x, { depth = depth or 3, order = 'none', off = off, sublayer = function(h, layer) return x * layer end,\n"
        "    dropout = { rate = .5, random = random } }) end\n"
        "  return { run = run, luck = luck, whole = run(nil, luck), without = run({ 1 }, luck), less = run(nil, luck, 2), drawn = run({ 1, 3 }, random) }\n"
        "end,\n"
        "step 's' { text = '{whole.layers[2].update == without.layers[2].update} {whole.layers[3].update == without.layers[3].update} '\n"
        "  .. '{without.layers[1].off} {without.layers[1].share} {without.layers[1].kept == nil} {drawn.layers[2].kept} {drawn.layers[2].update:sum() ~= 0} {less.out == whole.layers[2].stream}' }");
    struct request request = help_frame(source, "s");
    struct scene *scene = help_step(&request);
    if (strncmp(scene->step->text, "true true true 0 true 0.", 24) || !strstr(scene->step->text + 24, " true true"))
        fail_msg("%s", scene->step->text);
    scene_free(scene);

    /* The stream gives as many numbers whether branches are off or not. */
    static const char *const draws = LESSON(
        "data = function(random)\n"
        "  local off = random:integer(1, 1) == 1 and { %s } or {}\n"
        "  nn.stack(tensor { 1, 2 }, { depth = 4, order = 'none', off = off, sublayer = function(h) return h end, dropout = { rate = .5, random = random } })\n"
        "  return { next = random:integer(1, 1000000) }\n"
        "end, step 's' { text = '{next}' }");
    char text[2][100];
    for (int i = 0; i < 2; i++) {
        char lesson[1000];
        snprintf(lesson, sizeof lesson, draws, i ? "2, 3" : "");
        request = help_frame(lesson, "s");
        scene = help_step(&request);
        snprintf(text[i], sizeof text[i], "%s", scene->step->text);
        scene_free(scene);
    }
    assert_string_equal(text[0], text[1]);
}

/* Nothing that anybody does to tensors afterwards reaches the trace: those of the lesson cannot be changed once they are part of it. */
static void a_trace_stands_still(void **state)
{
    (void)state;
    assert_prints("local x, mine = tensor { 1, 2 }, tensor { 1, 1 }\n"
                  "mine:set({ 1 }, 2)\n"
                  "local trace = nn.stack(x, { depth = 2, order = 'none', sublayer = function(h, layer) return mine end })\n"
                  "for _, t in ipairs { x, mine } do assert(select(2, pcall(t.set, t, { 1 }, 9)):find 'has been computed with') end\n"
                  "print(trace.x, trace.layers[1].update, trace.layers[2].update, trace.out, trace.layers[1].stream)\n"
                  "local post = nn.stack(x, { depth = 1, order = 'post', final_norm = true, sublayer = function(h) return h end })\n"
                  "for _, t in ipairs { trace.x, trace.out, trace.layers[1].update, trace.layers[1].stream, post.out, post.layers[1].stream } do\n"
                  "  assert(select(2, pcall(t.set, t, { 1 }, 5)):find 'is a fact of the lesson') end\n"
                  "print(pcall(nn.stack, x, { depth = 1, order = 'none', sublayer = function(h) h:set({ 1 }, 7) return h end }))",
                  "[1, 2]\t[2, 1]\t[2, 1]\t[5, 4]\t[3, 3]\n"
                  "false\ttry:9: this tensor is a fact of the lesson and cannot be changed; x:with{…} makes a changed copy\n");
}

static void what_is_refused(void **state)
{
    (void)state;
    static const struct { const char *call, *words; } cases[] = {
        { "{ depth = 2, order = 'pre', sublayer = function(h) return h:mean('feature') end }",
          "nn.stack: the update of layer 1 is (2, 3, 1) and the stream (2, 3, 4): their shapes must be the same" },
        { "{ depth = 2, order = 'none', sublayer = function(h, i) return i == 1 and h or tensor.zeros { 2, 3, 3 } end }",
          "nn.stack: the update of layer 2 is (2, 3, 3) and the stream (2, 3, 4): their shapes must be the same" },
        { "{ depth = 2, order = 'pre', sublayer = function(h) return h[1] end }",
          "nn.stack: the update of layer 1 is (3, 4) and the stream (2, 3, 4): their shapes must be the same" },
        { "{ depth = 2, order = 'pre', sublayer = function(h) return 0 end }", "nn.stack: the sublayer of layer 1 must return a tensor, not a number" },
        { "{ depth = 2, order = 'pre', sublayer = function(h) end }", "nn.stack: the sublayer of layer 1 must return a tensor, not a nil value" },
        { "{ depth = 0, order = 'pre', sublayer = same }", "nn.stack: `depth` must be a whole number from 1 to 64" },
        { "{ depth = 65, order = 'pre', sublayer = same }", "nn.stack: `depth` must be a whole number from 1 to 64" },
        { "{ depth = 2.5, order = 'pre', sublayer = same }", "nn.stack: `depth` must be a whole number from 1 to 64" },
        { "{ depth = '2', order = 'pre', sublayer = same }", "nn.stack: `depth` must be a whole number from 1 to 64" },
        { "{ order = 'pre', sublayer = same }", "nn.stack: `depth` must be a whole number from 1 to 64" },
        { "{ depth = 2, order = 'after', sublayer = same }", "nn.stack: `order` must be \"pre\", \"post\" or \"none\"" },
        { "{ depth = 2, sublayer = same }", "nn.stack: `order` must be \"pre\", \"post\" or \"none\"" },
        { "{ depth = 2, order = 'pre' }", "nn.stack: `sublayer` must be a function of the stream and the layer, not a nil value" },
        { "{ depth = 2, order = 'pre', sublayer = same, of = { 1 } }", "unknown option of nn.stack `of`; did you mean `off`?" },
        { "{ depth = 2, order = 'pre', sublayer = same, off = 1 }", "nn.stack: `off` must be a list of layers, not a number" },
        { "{ depth = 2, order = 'pre', sublayer = same, off = { 0 } }", "nn.stack: `off` must hold numbers of layers, whole and from 1 to 64" },
        { "{ depth = 2, order = 'pre', sublayer = same, eps = {} }", "nn.stack: `eps` must be a number, not a table" },
        { "{ depth = 2, order = 'pre', sublayer = same, eps = -1 }", "eps must not be negative or NaN: it is -1" },
        { "{ depth = 2, order = 'pre', sublayer = same, dropout = .5 }", "dropout needs { rate = …, random = … }, not a number" },
        { "{ depth = 2, order = 'pre', sublayer = same, dropout = { rate = 1, random = tensor.zeros { 2, 2, 3, 4 } } }",
          "the rate of dropout lies from 0 up to 1, without 1: it is 1" },
        { "{ depth = 2, order = 'pre', sublayer = same, dropout = { rate = .5, random = tensor.zeros { 1, 2, 3, 4 } } }",
          "nn.stack: random is (1, 2, 3, 4); 2 layers of (2, 3, 4) need an axis of 2 or more in front of that shape" },
        { "{ depth = 2, order = 'pre', sublayer = same, dropout = { rate = .5, random = tensor.zeros { 2, 3, 4 } } }",
          "nn.stack: random is (2, 3, 4); 2 layers of (2, 3, 4) need an axis of 2 or more in front of that shape" },
        { "{ depth = 2, order = 'pre', sublayer = function(h) return h.nothing end }", "unknown method of a tensor `nothing`; there are at, cast, detach, matmul, max, mean, min, set, std, sum, transpose, var, with" },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        char source[1000], want[500];
        snprintf(source, sizeof source, "local function same(h) return h end\nprint(select(2, pcall(nn.stack, tensor.ones { 2, 3, 4 }, %s)))", cases[i].call);
        snprintf(want, sizeof want, "%s\n", cases[i].words);
        char *text = printed(source), *words = strstr(text, cases[i].words);
        if (!words || strcmp(words, want))
            fail_msg("%s: %s", cases[i].call, text);
        free(text);
    }
    assert_prints("print(select(2, pcall(nn.stack, tensor.zeros { 2, 0 }, {})))", "nn.stack needs a tensor with features\n");
    assert_prints("print(nn.stack(tensor { 1, 2 }, { depth = 2, order = 'none', off = { 2, 7, 64 }, sublayer = function(h) return h end }).out)", "[2, 4]\n");
}

/* A sublayer that never ends is stopped as any code is, and deep stacks that nobody keeps leave no memory behind. */
static void stays_in_its_limits(void **state)
{
    (void)state;
    char *text = help_printed("nn.stack(tensor { 1 }, { depth = 1, order = 'none', sublayer = function(h) while true do end end })",
                                &(struct engine_limits){ .cpu_seconds = 0.2 });
    assert_non_null(strstr(text, "this takes too long and was stopped"));
    free(text);
    text = help_printed("local x = tensor.ones { 8, 16, 16 }\n"
                          "for i = 1, 30 do nn.stack(x, { depth = 64, order = 'pre', sublayer = function(h) return h * 1e-3 end }) end print('done')",
                          &(struct engine_limits){ .memory = 16 << 20, .cpu_seconds = 30 });
    assert_string_equal(text, "done\n");
    free(text);
}

/* ---- the view ---- */

#define FOUR "sublayer = function(h, layer) return h * layer end"
static const char *const views = LESSON(
    "data = function(random) return { x = tensor { { 3, 4 }, { 0, 5 } }, luck = tensor.full({ 4, 2, 2 }, .5) } end,\n"
    "define = { back = function(x, off, order, final) return nn.stack(x, { depth = 4, order = order, off = off, final_norm = final, " FOUR ",\n"
    "    gradient = function(out) return (out * x):sum('all') end }) end,\n"
    "  trace = function(x, off, order, more) return nn.stack(x, { depth = 4, order = order, off = off, final_norm = more, " FOUR " }) end,\n"
    "  dropped = function(x, luck, off) return nn.stack(x, { depth = 4, order = 'none', off = off, dropout = { rate = .2, random = luck }, " FOUR " }) end },\n"
    "step 'plain' { text = '{#off}', show = view.stack { 'trace(x, off, \"none\")' } },\n"
    "step 'final' { text = '', show = view.stack { 'trace(x, off, \"pre\", true)' } },\n"
    "step 'post' { text = '', show = view.stack { 'trace(x, nil, \"post\")' } },\n"
    "step 'luck' { text = '', show = view.stack { 'dropped(x, luck, off)' } },\n"
    "ask.number 'q' { text = '', answer = 600, why = '.', hide = { 'stream' }, show = view.stack { 'trace(x, off, \"none\")' } },\n"
    "ask.number 'u' { text = '', answer = 4, why = '.', hide = { 'update' }, show = view.stack { 'dropped(x, luck, off)' } },\n"
    "step 'back' { text = '{back(x, off, \"pre\", true).gradient}', show = view.stack { 'back(x, off, \"pre\", true)' } },\n"
    "step 'open' { text = '', show = view.stack { 'back(x, off, \"none\", false)' } },\n"
    "ask.number 's' { text = '', answer = 4, why = '.', hide = { 'share' }, show = view.stack { 'dropped(x, luck, off)' } },\n"
    "ask.number 'g' { text = '', answer = 4, why = '.', hide = { 'gradient' }, show = view.stack { 'back(x, off, \"none\", false)' } },\n"
    "step 'wrong' { text = '', show = view.stack { 'x' } },\n"
    "step 'torn' { text = '', show = view.stack { '{ order = \"pre\", x = x, out = x, layers = { 1 } }' } }");

static const struct part_stack *stack_of(const struct scene *scene)
{
    assert_int_equal(scene->step->view->part_count, 1);
    assert_int_equal(scene->step->view->parts[0].kind, PART_STACK);
    return &scene->step->view->parts[0].as.stack;
}

static void shows_the_stream(void **state)
{
    (void)state;
    struct request request = help_frame(views, "plain");
    struct scene *scene = help_step(&request);
    const struct part_stack *stack = stack_of(scene);
    static const char *const norms[] = { "10", "30", "120", "600" }, *const shares[] = { "1", "2", "3", "4" };
    assert_string_equal(stack->order, "x + F(x)");
    assert_string_equal(stack->start.text, "5");
    assert_string_equal(stack->end.text, "");
    assert_int_equal(stack->layer_count, 4);
    assert_int_equal(scene->step->branches, 4);
    assert_int_equal(scene->step->view->stages, 4);
    assert_int_equal(scene->step->axis_count, 1);
    assert_string_equal(scene->step->axes[0].name, "layer");
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(stack->layers[i].stream.text, norms[i]);
        assert_string_equal(stack->layers[i].update.text, shares[i]);
        assert_string_equal(stack->layers[i].kept.text, "");
        assert_int_equal(stack->layers[i].stream.flags, i == 0 ? CELL_CURSOR : 0);
        assert_false(stack->layers[i].off);
    }
    assert_string_equal(scene->step->view->alt, "A residual stream through 4 layers, each x + F(x): its length goes from 5 to 600.");
    scene_free(scene);

    request.off = 1u << 1 | 1u << 3 | (uint64_t)1 << 50;
    request.cursors = &(struct cursor){ "layer", 2 };
    request.cursor_count = 1;
    scene = help_step(&request);
    stack = stack_of(scene);
    static const char *const fewer[] = { "10", "10", "40", "40" };
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(stack->layers[i].stream.text, fewer[i]);
        assert_int_equal(stack->layers[i].off, i % 2);
        assert_string_equal(stack->layers[i].update.text, i % 2 ? "0" : i ? "3" : "1");
    }
    assert_int_equal(stack->cursor, 1);
    assert_string_equal(scene->step->view->alt, "A residual stream through 4 layers, each x + F(x): its length goes from 5 to 40; switched off: 2, 4.");
    scene_free(scene);
}

static void shows_orders_and_ends(void **state)
{
    (void)state;
    struct request request = help_frame(views, "final");
    struct scene *scene = help_step(&request);
    assert_string_equal(stack_of(scene)->order, "x + F(LN(x))");
    assert_string_equal(stack_of(scene)->end.text, "1.41"); /* the root of two features of variance 1 */
    assert_non_null(strstr(scene->step->view->alt, "each x + F(LN(x)), with a final norm: its length"));
    scene_free(scene);

    request.step = "post";
    scene = help_step(&request);
    assert_string_equal(stack_of(scene)->order, "LN(x + F(x))");
    assert_int_equal(scene->step->branches, 0); /* the trace knows nothing of `off` */
    scene_free(scene);

    request.step = "luck";
    request.off = 1;
    scene = help_step(&request);
    assert_string_equal(stack_of(scene)->layers[0].kept.text, "");
    assert_string_equal(stack_of(scene)->layers[1].kept.text, "100 %");
    assert_string_equal(stack_of(scene)->layers[1].update.text, "2.50");
    scene_free(scene);
}

/* A stage shows the stream up to its layer; the end comes with the last. */
static void stages(void **state)
{
    (void)state;
    for (uint32_t stage = 0; stage < 7; stage++) {
        struct request request = help_frame(views, "final");
        request.stage = stage;
        struct scene *scene = help_step(&request);
        const struct part_stack *stack = stack_of(scene);
        uint32_t now = stage > 4 ? 4 : stage, last = now ? now : 4;
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(*stack->layers[i].stream.text != '\0', i < last);
            assert_int_equal(*stack->layers[i].update.text != '\0', i < last);
            assert_int_equal(isnan(stack->layers[i].stream.value) != 0, i >= last);
            assert_int_equal((stack->layers[i].stream.flags & CELL_STAGE) != 0, i + 1 == now);
        }
        assert_int_equal(*stack->end.text != '\0', last == 4);
        assert_string_not_equal(stack->start.text, "");
        scene_free(scene);
    }
}

/* Every gradient is what the trace says; without a final norm it comes from behind the last layer. */
static void the_gradient_comes_back(void **state)
{
    (void)state;
    struct request request = help_frame(views, "open");
    struct scene *scene = help_step(&request);
    const struct part_stack *stack = stack_of(scene);
    /* out = x (1 + 1)(1 + 2)(1 + 3)(1 + 4): behind layer n the gradient is x times the factors that are still to come. */
    static const char *const norms[] = { "300", "100", "25", "5" };
    assert_true(stack->gradients);
    assert_false(stack->final_norm);
    assert_string_equal(stack->start_gradient.text, "600");
    assert_string_equal(stack->end_gradient.text, "");
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(stack->layers[i].gradient.text, norms[i]);
    assert_int_equal(stack->layers[0].gradient.flags, CELL_CURSOR);
    assert_string_equal(scene->step->view->alt, "A residual stream through 4 layers, each x + F(x): its length goes from 5 to 600; going back, that of the "
                                                "gradient goes from 5 to 600.");
    scene_free(scene);
    request = help_frame(views, "back");
    scene = help_step(&request);
    stack = stack_of(scene);
    assert_string_equal(stack->end_gradient.text, "5");
    assert_true(fabs(stack->start_gradient.value - strtod(scene->step->text, NULL)) < 1e-3 * stack->start_gradient.value);
    scene_free(scene);
    request = help_frame(views, "plain");
    scene = help_step(&request);
    assert_false(stack_of(scene)->gradients);
    assert_string_equal(stack_of(scene)->start_gradient.text, "");
    scene_free(scene);
}

/* Forward through 4 layers, then back through 5 points. */
static void stages_go_back(void **state)
{
    (void)state;
    for (uint32_t stage = 0; stage < 12; stage++) {
        struct request request = help_frame(views, "back");
        request.stage = stage;
        struct scene *scene = help_step(&request);
        const struct part_stack *stack = stack_of(scene);
        uint32_t now = stage > 9 ? 9 : stage, known = now == 0 ? 5 : now > 4 ? now - 4 : 0; /* points from the last layer on */
        assert_int_equal(scene->step->view->stages, 9);
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(*stack->layers[i].stream.text != '\0', now == 0 || i < now);
            assert_int_equal(*stack->layers[i].gradient.text != '\0', 4 - i <= known);
            assert_int_equal((stack->layers[i].gradient.flags & CELL_STAGE) != 0, now > 4 && 4 - i == known);
        }
        assert_int_equal(*stack->start_gradient.text != '\0', known == 5);
        assert_int_equal((stack->start_gradient.flags & CELL_STAGE) != 0, now == 9);
        assert_int_equal(*stack->end_gradient.text != '\0', known > 0);
        scene_free(scene);
    }
}

static void hides_shares_and_gradients(void **state)
{
    (void)state;
    struct request request = help_frame(views, "s");
    struct scene *scene = help_step(&request);
    assert_string_equal(stack_of(scene)->layers[1].update.text, "?");
    assert_string_equal(stack_of(scene)->layers[1].kept.text, "100 %");
    scene_free(scene);
    for (uint32_t stage = 0; stage < 10; stage++) {
        request = help_frame(views, "g");
        request.stage = stage;
        scene = help_step(&request);
        const struct part_stack *stack = stack_of(scene);
        assert_null(strstr(scene->step->view->alt, "gradient"));
        assert_string_equal(stack->start_gradient.text, stage == 0 || stage == 9 ? "?" : "");
        assert_true(isnan(stack->start_gradient.value) && isnan(stack->layers[3].gradient.value));
        assert_string_equal(stack->layers[0].stream.text, "10");
        scene_free(scene);
    }
}

static void hides(void **state)
{
    (void)state;
    struct request request = help_frame(views, "q");
    for (int answered = 0; answered < 2; answered++) {
        request.answer = answered ? "600" : NULL;
        struct scene *scene = help_step(&request);
        struct strbuf bytes = help_bytes(scene);
        const struct part_stack *stack = stack_of(scene);
        assert_string_equal(stack->start.text, answered ? "5" : "?");
        assert_string_equal(stack->layers[3].stream.text, answered ? "600" : "?");
        assert_string_equal(stack->layers[3].update.text, "4");
        assert_int_equal(strstr(scene->step->view->alt, "600") != NULL, answered);
        strbuf_free(&bytes);
        scene_free(scene);
    }
    request = help_frame(views, "u");
    struct scene *scene = help_step(&request);
    assert_string_equal(stack_of(scene)->layers[1].update.text, "?");
    assert_string_equal(stack_of(scene)->layers[1].kept.text, "?");
    assert_true(isnan(stack_of(scene)->layers[1].kept.value));
    assert_string_equal(stack_of(scene)->start.text, "5");
    scene_free(scene);
}

static void no_trace(void **state)
{
    (void)state;
    static const char *const steps[] = { "wrong", "torn" };
    for (size_t i = 0; i < 2; i++) {
        struct request request = help_frame(views, steps[i]);
        struct scene *scene = help_ask(&request);
        assert_non_null(scene->error);
        if (!strstr(scene->error, "view.stack: its entry must come to a trace as nn.stack returns it"))
            fail_msg("%s", scene->error);
        scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_pytorch),     cmocka_unit_test(the_words_of_the_course), cmocka_unit_test(every_branch_keeps_its_luck),
        cmocka_unit_test(a_trace_stands_still),    cmocka_unit_test(what_is_refused),         cmocka_unit_test(stays_in_its_limits),
        cmocka_unit_test(shows_the_stream),        cmocka_unit_test(shows_orders_and_ends),   cmocka_unit_test(stages),
        cmocka_unit_test(hides),
        cmocka_unit_test(the_gradient_comes_back), cmocka_unit_test(stages_go_back), cmocka_unit_test(hides_shares_and_gradients),                   cmocka_unit_test(no_trace),
    };
    return cmocka_run_group_tests_name("engine: residual stacks", tests, NULL, NULL);
}
