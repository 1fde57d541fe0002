/* What the engine shows is a function of the request alone, and it shows no more than it should. */
#include "engine_help.h"

#include <math.h>
#include <stdio.h>

static char *whole; /* tests/lessons/whole.lua */
static const char *const STEPS[] = { "look", "again", "same", "made", "near", "row", "who", "unseen" };

static int open_lesson(void **state)
{
    (void)state;
    whole = help_file("tests/lessons/whole.lua");
    return 0;
}

static int close_lesson(void **state)
{
    (void)state;
    free(whole);
    return 0;
}

static struct request frame_of_whole(const char *step, uint64_t seed)
{
    struct request request = help_frame(whole, step);
    request.file = "tests/lessons/whole.lua";
    request.course = "built-in";
    request.seed = seed;
    return request;
}

/* ---- the same request, the same scene ---- */

static const struct setting SETTINGS[] = {
    { "eps", SETTING_NUMBER, 1e-3, false, NULL },  { "turn", SETTING_NUMBER, 0.25, false, NULL }, { "depth", SETTING_NUMBER, 7, false, NULL },
    { "skip", SETTING_SWITCH, 0, false, NULL },    { "order", SETTING_WORD, 0, false, "post" },   { "nobody", SETTING_NUMBER, 1, false, NULL },
};
static const struct edit EDITS[] = { { "x", 2, { 1, 2 }, 3.5 }, { "x", 2, { 2, 1 }, -0.25 }, { "row", 1, { 3 }, 9 }, { "x", 2, { 1, 2 }, 4.5 } };
static const struct cursor CURSORS[] = { { "feature", 3 }, { "token", 1 } };

/* Requests of many kinds: the n-th. */
static struct request varied(size_t n)
{
    static const char *const answers[] = { NULL, "1", "1 2 3", "both", "quiet", "0.5", "sqrt(2", "-1.2 0 1.2" };
    struct request request = frame_of_whole(STEPS[n % HELP_COUNT(STEPS)], n / 3);
    request.number = n;
    request.attempt = (uint32_t)(n % 5 == 0 ? n % 7 : 0);
    request.settings = SETTINGS;
    request.setting_count = n % 2 ? HELP_COUNT(SETTINGS) : 0;
    request.edits = EDITS;
    request.edit_count = n % 3 ? 0 : HELP_COUNT(EDITS);
    request.cursors = CURSORS;
    request.cursor_count = n % 4 ? 0 : HELP_COUNT(CURSORS);
    request.stage = (uint32_t)(n % 11);
    request.answer = answers[n / 5 % HELP_COUNT(answers)];
    request.typed = answers[n / 7 % HELP_COUNT(answers)];
    request.hints = (uint32_t)(n % 4);
    request.sure = (uint32_t)(n % 4);
    request.give_up = n % 13 == 0;
    if (n % 17 == 0)
        request.kind = REQUEST_LESSON;
    return request;
}

static void a_fresh_engine_says_the_same(void **state)
{
    (void)state;
    struct engine *old = help_engine();
    for (size_t n = 0; n < 400; n++) {
        struct request request = varied(n);
        struct scene *scene = engine_answer(old, &request);
        assert_non_null(scene);
        if (scene->error)
            fail_msg("%zu: %s", n, scene->error);
        struct strbuf a = help_bytes(scene), b = help_ask_bytes(&request);
        help_same(&a, &b);
        strbuf_free(&a);
        strbuf_free(&b);
        scene_free(scene);
    }
    engine_free(old);
}

static void fifty_seeds_of_every_step(void **state)
{
    (void)state;
    struct strbuf first = { 0 };
    size_t same = 0;
    for (uint64_t seed = 0; seed < 50; seed++)
        for (size_t s = 0; s < HELP_COUNT(STEPS); s++) {
            struct request request = frame_of_whole(STEPS[s], seed * 0x9e3779b97f4a7c15u);
            struct strbuf a = help_ask_bytes(&request), b = help_ask_bytes(&request);
            help_same(&a, &b);
            if (s == 0 && seed == 0)
                strbuf_addn(&first, a.text, a.length);
            else if (s == 0)
                same += a.length == first.length && !memcmp(a.text, first.text, a.length);
            strbuf_free(&a);
            strbuf_free(&b);
        }
    assert_int_equal(same, 0); /* seeds make a difference */
    strbuf_free(&first);
}

/* Many lessons, courses and evaluations in turn leave nothing behind in an engine. */
static void an_engine_forgets(void **state)
{
    (void)state;
    static const char *const sources[] = {
        "print(nn.layer_norm(tensor{1,2,3}))", "x = 5", "return lesson 'whole' {", "error({})", "return course 'c' { format = 1, title = 't', lessons = { 'a' } }",
        LESSON("step 's' { text = '{y}' }"), LESSON("given = { y = 3 }, step 's' { text = '{y}' }"), LESSON("given = { y = 'tensor{1}[2]' }, step 's' { text = '{y}' }"),
    };
    struct engine *old = help_engine();
    for (size_t n = 0; n < 300; n++) {
        struct request request = varied(n);
        if (n % 3) {
            request = help_request((enum request_kind)(n / 2 % 4), sources[n % HELP_COUNT(sources)]);
            request.seed = n % 5;
        }
        struct scene *scene = engine_answer(old, &request);
        assert_non_null(scene);
        struct strbuf a = help_bytes(scene), b = help_ask_bytes(&request);
        help_same(&a, &b);
        strbuf_free(&a);
        strbuf_free(&b);
        scene_free(scene);
    }
    engine_free(old);
}

/* Asked twice, an error is the same both times. */
static void errors_are_remembered_right(void **state)
{
    (void)state;
    static const char *const source = LESSON(
        "data = function(random) return { x = random:integers { 3, from = 1, to = 9 }, index = 4 } end,\n"
        "step 'good' { text = '{x}' },\n"
        "step 'bad' { text = '{x[index]}' },\n"
        "step 'nothing' { text = '{nil}' },\n"
        "step 'caught' { text = 't', show = function(d) local ok, words = pcall(function() return d.x[d.index] end)\n"
        "  return view.table { { function() return words end } } end },\n"
        "ask.number 'why' { text = '?', answer = 1, why = '{x[index]}', mistake 'm' { by = 2, say = '{x[index]}' } }");
    struct engine *engine = help_engine();
    static const struct { const char *step, *answer, *error; } asks[] = {
        { "bad", NULL, "lessons/try.lua:5: step \"bad\": `text`: index 4 is outside 1 to 3 of axis feature" }, { "good", NULL, NULL },
        { "nothing", NULL, "lessons/try.lua:6: `text`: the hole {nil} comes to nothing (nil)" },
        { "caught", NULL, NULL }, { "why", NULL, NULL }, { "why", "1", "lessons/try.lua:9: ask.number \"why\": `why`: index 4" },
        { "why", "2", "lessons/try.lua:9: mistake \"m\": `say`: index 4" }, { "nowhere", NULL, "lessons/try.lua: there is no step \"nowhere\"" },
        { "god", NULL, "did you mean \"good\"?" },
    };
    for (int round = 0; round < 3; round++)
        for (size_t i = 0; i < HELP_COUNT(asks); i++) {
            struct request request = help_frame(source, asks[i].step);
            request.answer = asks[i].answer;
            struct scene *scene = engine_answer(engine, &request);
            if (!asks[i].error != !scene->error || (scene->error && !strstr(scene->error, asks[i].error)))
                fail_msg("%s: %s", asks[i].step, scene->error ? scene->error : "no error");
            assert_non_null(scene->lesson); /* what could be made is there */
            scene_free(scene);
        }
    engine_free(engine);
}

static void a_given_that_fails_fails_alike(void **state)
{
    (void)state;
    static const char *const source = LESSON(
        "data = function(random) return { x = random:integers { 3, from = 1, to = 9 } } end,\n"
        "define = { pick = function(x, i) return x[i] end },\n"
        "step 'a' { text = '{x}', knobs = { knob.int 'i' { 1, 9 } }, show = function(d) local ok, first = pcall(pick_of, d)\n"
        "  return view.table { { function() return first end } } end }");
    char *text = calloc(1, strlen(source) + 400);
    strcpy(text, "local function pick_of(d)\n  return d.pick(d.x, d.i)\nend\n");
    strcat(text, source);
    struct request request = help_frame(text, "a");
    const struct setting beyond = { "i", SETTING_NUMBER, 7, false, NULL };
    request.settings = &beyond;
    request.setting_count = 1;
    struct scene *scene = help_step(&request);
    assert_non_null(strstr(scene->step->view->parts[0].as.table.cells[0].text, "outside 1 to 3"));
    scene_free(scene);
    free(text);
}

/* A given that follows a knob to where it cannot be computed says so each time it is asked for. */
static void a_given_beyond_its_end(void **state)
{
    (void)state;
    static const char *const source = LESSON(
        "data = function(random) return { x = random:integers { 3, from = 1, to = 9 } } end, given = { i = 1, one = 'x[i]' },\n"
        "step 's' { text = 't', knobs = { knob.int 'i' { 1, 9 } }, show = function(d)\n"
        "  local function ask() return select(2, pcall(function() return d.one end)) end\n"
        "  return view.table { { ask, ask } } end }");
    const struct setting beyond = { "i", SETTING_NUMBER, 7, false, NULL };
    struct request request = help_frame(source, "s");
    request.settings = &beyond;
    request.setting_count = 1;
    struct scene *scene = help_step(&request);
    for (int i = 0; i < 2; i++)
        assert_non_null(strstr(scene->step->view->parts[0].as.table.cells[i].text, "outside 1 to 3"));
    scene_free(scene);
}

/* What is wrong with one seed's numbers alone is said for that seed, whatever was asked before. */
static void each_seed_is_checked(void **state)
{
    (void)state;
    static const char *const source = LESSON("data = function(random) return { i = random:integer(1, 2) } end, given = { one = 'tensor { 5 }[i]' },\nstep 's' { text = 't' }");
    struct engine *engine = help_engine();
    size_t errors = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct request request = help_frame(source, "s");
        request.seed = seed;
        struct scene *scene = engine_answer(engine, &request);
        struct strbuf a = help_bytes(scene), b = help_ask_bytes(&request);
        help_same(&a, &b);
        errors += scene->error != NULL;
        strbuf_free(&a);
        strbuf_free(&b);
        scene_free(scene);
    }
    assert_true(errors > 0 && errors < 20);
    engine_free(engine);
}

/* ---- what moves ---- */

static void knobs_move_and_stop(void **state)
{
    (void)state;
    static const struct { struct setting setting; size_t knob; double value; const char *text; } cases[] = {
        { { "eps", SETTING_NUMBER, 1e-3, false, NULL }, 0, 1e-3, "0.001" }, { { "eps", SETTING_NUMBER, 5, false, NULL }, 0, 1, "1" },
        { { "eps", SETTING_NUMBER, -1, false, NULL }, 0, 1e-12, "1e-12" },  { { "eps", SETTING_NUMBER, NAN, false, NULL }, 0, 1e-5, "1e-5" },
        { { "eps", SETTING_WORD, 0, false, "1" }, 0, 1e-5, "1e-5" },        { { "turn", SETTING_NUMBER, INFINITY, false, NULL }, 1, 1, "1" },
        { { "depth", SETTING_NUMBER, 7.4, false, NULL }, 2, 7, "7" },       { { "depth", SETTING_NUMBER, 1e9, false, NULL }, 2, 64, "64" },
        { { "skip", SETTING_SWITCH, 0, false, NULL }, 3, 0, "off" },        { { "skip", SETTING_NUMBER, 0, false, NULL }, 3, 1, "on" },
        { { "order", SETTING_WORD, 0, false, "post" }, 4, 0, "post-norm" }, { { "order", SETTING_WORD, 0, false, "beside" }, 4, 1, "pre" },
        { { "deep", SETTING_NUMBER, 9, false, NULL }, 2, 3, "3" },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        struct request request = frame_of_whole("look", 1);
        request.settings = &cases[i].setting;
        request.setting_count = 1;
        struct scene *scene = help_step(&request);
        const struct scene_knob *knob = &scene->step->knobs[cases[i].knob];
        if (knob->value != cases[i].value || strcmp(knob->value_text, cases[i].text))
            fail_msg("%s: %g \"%s\"", knob->name, knob->value, knob->value_text);
        scene_free(scene);
    }
}

static void everything_follows_a_knob(void **state)
{
    (void)state;
    static const char *const source = LESSON(
        "given = { eps = 4, double = 'eps * 2', four = 'double * 2' },\n"
        "ask.number 'q' { text = 'eps {eps} {four}', knobs = { knob.linear 'eps' { 0, 10 } }, show = view.table { { 'double', 'eps' } },\n"
        "  answer = 'four', why = '{four} {answer}', hints = { '{double}' } },\n"
        "ask.choice 'c' { text = 't', why = '{answer}', knobs = { knob.int 'steps' { 1, 9 } }, option 'a' { 'after {steps}', right = true }, option 'b' { 'never', say = '.' } }");
    const struct setting set[] = { { "eps", SETTING_NUMBER, 5, false, NULL }, { "steps", SETTING_NUMBER, 6, false, NULL } };
    struct request request = help_frame(source, "q");
    request.settings = set;
    request.setting_count = 2;
    request.answer = "16"; /* answers see no knob */
    request.hints = 9;
    struct scene *scene = help_step(&request);
    assert_string_equal(scene->step->text, "eps 5 20");
    assert_string_equal(scene->step->view->parts[0].as.table.cells[0].text, "10");
    assert_int_equal(scene->step->question->verdict, VERDICT_RIGHT);
    assert_string_equal(scene->step->question->why, "16 16");
    assert_int_equal(scene->step->question->hints.count, 1);
    assert_string_equal(scene->step->question->hints.item[0], "8");
    scene_free(scene);
    request.step = "c";
    request.answer = "a";
    scene = help_step(&request);
    assert_string_equal(scene->step->question->options[0].text, "after 6");
    assert_string_equal(scene->step->question->said, "after 6");
    assert_string_equal(scene->step->question->answer, "after 6");
    assert_string_equal(scene->step->question->why, "after 6");
    scene_free(scene);
}

static void cells_that_are_edited(void **state)
{
    (void)state;
    static const char *const source = LESSON(
        "data = function(random) return { x = tensor { { 1, 2 }, { 3, 4 } }, y = tensor { 5 } } end, given = { sum = 'x:sum()' },\n"
        "step 's' { text = '{sum} {x} {y}', edit = { 'x' }, show = view.bars { 'x' } },\n"
        "ask.number 'q' { text = '{sum}', why = '{sum}', edit = { 'x' }, answer = 'sum' },\n"
        "ask.number 'p' { text = '{sum}', why = '{sum}', edit = { 'x' }, answer = 'sum', predict = true }");
    static const struct { struct edit edit; const char *text; } cases[] = {
        { { "x", 2, { 1, 2 }, 7 }, "15 [[1, 7], [3, 4]] [5]" },     { { "x", 2, { 2, 2 }, -1.5 }, "4.5 [[1, 2], [3.0, -1.5]] [5]" },
        { { "x", 2, { 3, 1 }, 7 }, "10 [[1, 2], [3, 4]] [5]" },     { { "x", 2, { 0, 1 }, 7 }, "10 [[1, 2], [3, 4]] [5]" },
        { { "x", 1, { 1 }, 7 }, "10 [[1, 2], [3, 4]] [5]" },        { { "x", 8, { 1, 1, 1, 1, 1, 1, 1, 1 }, 7 }, "10 [[1, 2], [3, 4]] [5]" },
        { { "y", 1, { 1 }, 7 }, "10 [[1, 2], [3, 4]] [5]" },        { { "sum", 0, { 0 }, 7 }, "10 [[1, 2], [3, 4]] [5]" },
        { { "tensor", 0, { 0 }, 7 }, "10 [[1, 2], [3, 4]] [5]" },   { { "", 0, { 0 }, 7 }, "10 [[1, 2], [3, 4]] [5]" },
        { { "x", 2, { 1, 1 }, NAN }, "nan [[nan, 2], [3, 4]] [5]" },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        struct request request = help_frame(source, "s");
        request.edits = &cases[i].edit;
        request.edit_count = 1;
        struct scene *scene = help_step(&request);
        assert_string_equal(scene->step->text, cases[i].text);
        assert_int_equal(scene->step->editable_count, 1);
        assert_int_equal(scene->step->editables[0].extents[1], 2);
        scene_free(scene);
    }
    struct edit many[5000];
    for (size_t i = 0; i < HELP_COUNT(many); i++)
        many[i] = (struct edit){ "x", 2, { 1 + (uint32_t)i % 2, 1 + (uint32_t)i / 2 % 2 }, (double)i };
    struct request request = help_frame(source, "s");
    request.edits = many;
    request.edit_count = HELP_COUNT(many);
    struct scene *scene = help_step(&request);
    assert_string_equal(scene->step->text, "19990 [[4996, 4998], [4997, 4999]] [5]");
    scene_free(scene);

    /* A question follows its cells; a prediction is judged by the numbers it was asked about. */
    request = help_frame(source, "q");
    request.edits = &cases[0].edit;
    request.edit_count = 1;
    request.answer = "15";
    scene = help_step(&request);
    assert_int_equal(scene->step->question->verdict, VERDICT_RIGHT);
    scene_free(scene);
    request.step = "p";
    request.answer = NULL;
    scene = help_step(&request);
    assert_true(scene->step->locked);
    assert_string_equal(scene->step->text, "10");
    scene_free(scene);
    request.answer = "10";
    scene = help_step(&request);
    assert_int_equal(scene->step->question->verdict, VERDICT_RIGHT);
    assert_string_equal(scene->step->text, "15");
    assert_string_equal(scene->step->question->why, "10");
    scene_free(scene);
}

static void cursors(void **state)
{
    (void)state;
    static const char *const source = LESSON(
        "data = function(random) return { x = tensor { { 1, 2, 3 }, { 4, 5, 6 } } } end,\n"
        "step 'plain' { text = '{cursor.token} {cursor.feature} {x[cursor.token][cursor.feature]}', show = view.tokens { 'x' } },\n"
        "step 'begun' { text = '{cursor.token} {cursor.feature}', cursor = { token = 2 }, show = view.row { view.tokens { 'x' }, view.bars { 'x[cursor.token]' } } },\n"
        "ask.number 'locked' { text = '{cursor.token}', why = '.', answer = 1, knobs = { knob.int 'k' { 1, 2 } }, predict = { from = { k = 1 }, to = { k = 2 } }, show = view.tokens { 'x' } }");
    static const struct { const char *step; struct cursor cursor; const char *text; uint32_t token; } cases[] = {
        { "plain", { "token", 2 }, "2 1 4", 2 }, { "plain", { "nothing", 2 }, "1 1 1", 1 }, { "plain", { "token", 99 }, "2 1 4", 2 },
        { "plain", { "token", 0 }, "1 1 1", 1 }, { "plain", { "feature", 3 }, "1 3 3", 1 }, { "plain", { "feature", UINT32_MAX }, "1 3 3", 1 },
        { "begun", { "other", 1 }, "2 1", 2 },   { "begun", { "token", 1 }, "1 1", 1 },     { "locked", { "token", 2 }, "1", 1 },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        struct request request = help_frame(source, cases[i].step);
        request.cursors = &cases[i].cursor;
        request.cursor_count = 1;
        struct scene *scene = help_step(&request);
        assert_string_equal(scene->step->text, cases[i].text);
        assert_string_equal(scene->step->axes[0].name, "token");
        assert_int_equal(scene->step->axes[0].size, 2);
        assert_int_equal(scene->step->axes[0].index, cases[i].token);
        scene_free(scene);
    }
}

static void stages(void **state)
{
    (void)state;
    for (uint32_t stage = 0; stage < 12; stage++) {
        struct request request = frame_of_whole("again", 3);
        request.stage = stage;
        struct scene *scene = help_step(&request);
        const struct view *view = scene->step->view;
        const struct part_table *table = &view->parts[0].as.table;
        assert_int_equal(view->stages, 9);
        assert_int_equal(table->head.count, 8);
        size_t filled = 0;
        for (size_t c = 0; c < 8; c++)
            for (size_t row = 0, any = 0; row < table->labels.count && !any; row++) {
                any = *table->cells[row * 8 + c].text != '\0';
                filled += any;
            }
        /* The mean, stage 2, stands in the column of x. */
        assert_int_equal(filled, stage == 0 || stage > 9 ? 8 : stage < 2 ? 1 : stage - 1);
        scene_free(scene);
    }
}

/* ---- numbers ---- */

static char *text_of(const char *source, const char *step, uint64_t seed, uint32_t attempt)
{
    struct request request = help_frame(source, step);
    request.seed = seed;
    request.attempt = attempt;
    struct scene *scene = help_step(&request);
    char *text = strdup(scene->step->text);
    scene_free(scene);
    return text;
}

static void assert_text(const char *a_source, const char *b_source, const char *step, uint32_t a_attempt, uint32_t b_attempt, bool same)
{
    size_t equal = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        char *a = text_of(a_source, step, seed, a_attempt), *b = text_of(b_source, step, seed, b_attempt);
        equal += !strcmp(a, b);
        free(a);
        free(b);
    }
    assert_int_equal(equal, same ? 10 : 0);
}

#define DRAW "data = function(random, d) return { "
#define DRAWN " = random:normal { 4 } } end"
#define STEP_A "step 'a' { " DRAW "a" DRAWN ", text = '{x} {a}' },\n"
#define STEP_B "step 'b' { " DRAW "b" DRAWN ", text = '{x} {b}' },\n"
#define STEP_C "step 'c' { " DRAW "c" DRAWN ", text = '{x} {c}' },\n"

static void a_stream_for_each_step(void **state)
{
    (void)state;
    static const char *const two = LESSON(DRAW "x" DRAWN ",\n" STEP_A STEP_B);
    static const char *const three = LESSON(DRAW "x" DRAWN ",\n" STEP_C STEP_B STEP_A);
    static const char *const longer = LESSON(DRAW "x" DRAWN ",\n" "step 'a' { data = function(random) random:normal { 99 } return { a = random:normal { 4 } } end, text = '{x} {a}' },\n" STEP_B);
    static const char *const more = LESSON("data = function(random) return { x = random:normal { 4 }, z = random:normal { 4 } } end,\n" STEP_A STEP_B);
    assert_text(two, three, "a", 0, 0, true);
    assert_text(two, three, "b", 0, 0, true);
    assert_text(two, longer, "b", 0, 0, true);
    assert_text(two, longer, "a", 0, 0, false);
    assert_text(two, more, "b", 0, 0, true);
    char *a = text_of(two, "a", 7, 0), *b = text_of(two, "b", 7, 0);
    assert_string_not_equal(a, b); /* and each has its own */
    free(a);
    free(b);
    assert_text(two, two, "a", 0, 1, false);
    assert_text(two, two, "a", 1, 2, false);
    assert_text(two, three, "a", 1, 1, true);
    assert_text(two, three, "a", 4000000000u, 4000000000u, true);
}

static void courses_and_ids_key_the_numbers(void **state)
{
    (void)state;
    static const char *const source = LESSON("data = function(random) return { x = random:normal { 4 } } end, step 's' { text = '{x}' }");
    struct request request = help_frame(source, "s"), other = request;
    other.course = "mine";
    struct scene *a = help_step(&request), *b = help_step(&other);
    assert_string_not_equal(a->step->text, b->step->text);
    scene_free(a);
    scene_free(b);
}

/* All of a seed's 64 bits count. */
static void seeds_are_long(void **state)
{
    (void)state;
    static const char *const source = LESSON("data = function(random) return { x = random:normal { 4 } } end, step 's' { text = '{x}' }");
    char *zero = text_of(source, "s", 0, 0);
    for (int bit = 0; bit < 64; bit++) {
        char *one = text_of(source, "s", (uint64_t)1 << bit, 0);
        assert_string_not_equal(zero, one);
        free(one);
    }
    free(zero);
}

static void draws_are_repeated_until_they_fit(void **state)
{
    (void)state;
    static const char *const source = LESSON(
        "data = function(random) return { x = random:integer(1, 10) } end, accept = 'x > 5',\n"
        "ask.number 'own' { data = function(random) return { y = random:integer(1, 10) } end, accept = 'y < 4', text = '{x} {y}', why = '.', answer = 'x' },\n"
        "ask.number 'apart' { data = function(random) return { z = random:integer(1, 2) } end, text = '{z}', why = '.', answer = 'z + 10',\n"
        "  mistake 'a' { by = 'z * z', say = '.' }, mistake 'b' { by = '1', say = '.' } },\n"
        "ask.number 'lesson' { text = '{x}', why = '.', answer = 'x', mistake 'seven' { by = '7', say = '.' } }");
    for (uint64_t seed = 0; seed < 40; seed++)
        for (uint32_t attempt = 0; attempt < 2; attempt++) {
            char *own = text_of(source, "own", seed, attempt), *apart = text_of(source, "apart", seed, attempt), *lesson = text_of(source, "lesson", seed, attempt);
            assert_true(atoi(own) > 5 && atoi(strchr(own, ' ')) < 4);
            assert_string_equal(apart, "2");
            assert_string_not_equal(lesson, "7");
            free(own);
            free(apart);
            free(lesson);
        }
}

static void pairs_go_in_order(void **state)
{
    (void)state;
    static const char *const source = "local t = { zeta = 1, alpha = 2, [3] = 'c', [1] = 'a', [2.5] = 'b', [true] = 9, [false] = 8, mid = 3 }\n"
                                      "for k, v in pairs(t) do print(k, v) end\nfor i = 1, 200 do t['k' .. i] = i end\n"
                                      "local s = '' for k in pairs(t) do s = s .. tostring(k) .. ' ' end print(s)\n"
                                      "for k in pairs(t) do t[k] = nil end print(#t, pairs({})({}))";
    struct request request = help_request(REQUEST_EVAL, source);
    struct strbuf first = help_ask_bytes(&request);
    for (int i = 0; i < 10; i++) {
        struct strbuf again = help_ask_bytes(&request);
        help_same(&first, &again);
        strbuf_free(&again);
    }
    strbuf_free(&first);
    struct scene *scene = help_ask(&request);
    assert_null(scene->error);
    static const char begins[] = "1\ta\n2.5\tb\n3\tc\nalpha\t2\nmid\t3\nzeta\t1\nfalse\t8\ntrue\t9\n";
    assert_memory_equal(scene->output, begins, strlen(begins));
    scene_free(scene);
}

/* ---- what is not shown ---- */

/* Two lessons that differ only in what is hidden look the same to the byte. */
static void assert_hidden_at(uint32_t stage, const char *a_given, const char *b_given, const char *fields)
{
    struct strbuf scenes[2] = { { 0 }, { 0 } }, open[2] = { { 0 }, { 0 } };
    for (int i = 0; i < 2; i++) {
        char source[2000];
        snprintf(source, sizeof source, LESSON("data = function(random) return { %s } end,\nask.number 'q' { text = '?', why = '.', answer = 1,\n%s }"),
                 i ? b_given : a_given, fields);
        struct request request = help_frame(source, "q");
        request.stage = stage;
        scenes[i] = help_ask_bytes(&request);
        request.answer = "7";
        struct strbuf wrong = help_ask_bytes(&request);
        request.answer = "1";
        open[i] = help_ask_bytes(&request);
        if (!strstr(fields, "predict"))
            strbuf_addn(&scenes[i], wrong.text, wrong.length);
        strbuf_free(&wrong);
    }
    if (scenes[0].length != scenes[1].length || memcmp(scenes[0].text, scenes[1].text, scenes[0].length))
        fail_msg("%s: something hidden is there", fields);
    if (!stage && open[0].length == open[1].length && !memcmp(open[0].text, open[1].text, open[0].length))
        fail_msg("%s: what was hidden does not open", fields);
    for (int i = 0; i < 2; i++) {
        strbuf_free(&scenes[i]);
        strbuf_free(&open[i]);
    }
}

static void assert_hidden(const char *a_given, const char *b_given, const char *fields)
{
    for (uint32_t stage = 0; stage <= (strstr(fields, "view.pipeline") ? 9 : 0); stage++)
        assert_hidden_at(stage, a_given, b_given, fields);
}

static void what_is_hidden_is_nowhere(void **state)
{
    (void)state;
    static const char x1[] = "x = tensor { 1, 2, 4 }", x2[] = "x = tensor { -700, 0.001, 33 }";
    assert_hidden(x1, x2, "show = view.bars { 'x' }, hide = { 'cells' }");
    assert_hidden("x = tensor { { 1, 2 }, { 3, 4 } }", "x = tensor { { 100, -5 }, { 0, 1e-5 } }", "show = view.bars { 'x' }, hide = { 'cells' }");
    assert_hidden(x1, x2, "show = view.table { { 'x[1]', 'x', 'x[2] * 5' } }, hide = { 'cells' }");
    assert_hidden(x1, x2, "show = view.tokens { 'x' }, hide = { 'before', 'mean', 'var', 'rstd', 'after', 'mean_after', 'std_after' }");
    assert_hidden("x = tensor { { 1, 2 }, { 3, 5 } }", "x = tensor { { 9, 7 }, { 0, 1e-5 } }",
                  "show = view.column { view.tokens { 'x', norm = 'rms' } }, hide = { 'before', 'mean', 'var', 'rstd', 'after', 'mean_after', 'std_after' }");
    assert_hidden(x1, x2, "show = view.pipeline { 'x' }, hide = { 'x', 'centred', 'squared', 'var', 'rstd', 'normalized' }");
    assert_hidden("s = 2, b = 1", "s = -77, b = 1e6", "show = view.pipeline { 'tensor{ 1, 2, 5 }', scale = 's', bias = 'b' }, hide = { 'scaled', 'shifted' }");
    assert_hidden("s = tensor { 1, 2, 3 }", "s = tensor { 4, -400, 0 }", "show = view.tokens { 'tensor{ 1, 2, 5 }', scale = 's' }, hide = { 'after', 'mean_after', 'std_after' }");
    assert_hidden("e = 1e-5", "e = 3", "show = view.pipeline { 'tensor{ 1, 2, 5 }', eps = 'e' }, hide = { 'rstd', 'normalized' }");
    assert_hidden("m = 2", "m = 3e5", "show = view.plot { over = { 's', 0, 1 }, lines = { { 's * m', label = 'curve' } }, marks = { { 0.5, label = 'here' } } }, hide = { 'curve' }");
    assert_hidden("m = 2", "m = -900", "show = view.plot { over = { 's', 0, 1 }, lines = { { 's * m', label = 'curve' }, { 's', label = 'other' } }, marks = { { 0.5, label = 'here' } } }, hide = { 'curve' }");
    assert_hidden("m = 2", "m = -900", "show = view.plot { over = { 's', 0, 1 }, lines = { { 's', label = 'other' }, { 's * m', label = 'curve' } }, marks = { { 0.5, label = 'here' } } }, hide = { 'curve' }");
    assert_hidden("m = 2, k = 3", "m = -900, k = 3", "knobs = { knob.int 'k' { 1, 9, at = 5 } }, show = view.plot { over = { 's', 0, 1 }, lines = { { 's * m * k', label = 'curve' } } }, hide = { 'curve' }");
    assert_hidden(x1, x2, "show = view.bars { 'x' }, predict = true");
    assert_hidden(x1, x2, "show = function(d) return view.row { view.bars { 'x' }, view.table { { d.x } } } end, hide = { 'cells' }");
}

static void the_answer_is_nowhere_before_it_is_given(void **state)
{
    (void)state;
    static const struct { const char *a, *b, *step; } cases[] = {
        { LESSON("ask.number 'q' { text = '?', why = 'it is {answer}', answer = 3, hints = { 'it is 3', 'three' }, mistake 'm' { by = 5, say = '5, not 3' }, also = { 8 } }"),
          LESSON("ask.number 'q' { text = '?', why = 'it is {answer}!', answer = 4, hints = { 'it is 4', 'four' }, mistake 'm' { by = 6, say = '6, not 4' }, also = { 9 } }"), "q" },
        { LESSON("ask.tensor 'q' { text = '?', why = '{answer}', answer = { 1, 2, 3 } }"), LESSON("ask.tensor 'q' { text = '?', why = '{answer}', answer = { 4, 5, 6 } }"), "q" },
        { LESSON("ask.choice 'q' { text = '?', why = '{answer}', option 'a' { 'A', right = true, say = '.' }, option 'b' { 'B', say = 'b' } }"),
          LESSON("ask.choice 'q' { text = '?', why = '{answer}', option 'a' { 'A', say = 'a' }, option 'b' { 'B', right = true, say = '.' } }"), "q" },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        struct request a = help_frame(cases[i].a, cases[i].step), b = help_frame(cases[i].b, cases[i].step);
        a.typed = b.typed = "1 2";
        struct strbuf one = help_ask_bytes(&a), other = help_ask_bytes(&b);
        help_same(&one, &other);
        strbuf_free(&one);
        strbuf_free(&other);
    }
}

/* ---- questions ---- */

static void hints_open_one_by_one(void **state)
{
    (void)state;
    for (uint32_t hints = 0; hints < 5; hints++) {
        struct request request = frame_of_whole("near", 1);
        request.hints = hints;
        struct scene *scene = help_step(&request);
        assert_int_equal(scene->step->question->hint_total, 2);
        assert_int_equal(scene->step->question->hints.count, hints < 2 ? hints : 2);
        assert_false(scene->step->question->final);
        scene_free(scene);
    }
}

static void giving_up_shows_the_answer(void **state)
{
    (void)state;
    for (size_t s = 4; s < HELP_COUNT(STEPS); s++) {
        struct request request = frame_of_whole(STEPS[s], 1);
        request.give_up = true;
        struct scene *scene = help_step(&request);
        const struct scene_question *q = scene->step->question;
        assert_true(q->final);
        assert_int_equal(q->verdict, VERDICT_NONE);
        assert_true(*q->answer && *q->why);
        assert_false(scene->step->locked);
        assert_non_null(scene->step->view);
        scene_free(scene);
    }
}

static void a_wrong_answer_can_be_mended(void **state)
{
    (void)state;
    struct request request = frame_of_whole("near", 1);
    request.answer = "1";
    struct scene *scene = help_step(&request);
    assert_int_equal(scene->step->question->verdict, VERDICT_WRONG);
    assert_string_equal(scene->step->question->mistake, "no-eps");
    assert_false(scene->step->question->final);
    assert_string_equal(scene->step->question->why, "");
    scene_free(scene);
    request.answer = "sqrt(k / (k + 1))";
    scene = help_step(&request);
    assert_int_equal(scene->step->question->verdict, VERDICT_RIGHT);
    assert_true(scene->step->question->final);
    assert_true(*scene->step->question->why);
    scene_free(scene);
}

static void a_prediction_locks_the_knobs(void **state)
{
    (void)state;
    const struct setting set[] = { { "eps", SETTING_NUMBER, 0.5, false, NULL }, { "skip", SETTING_SWITCH, 0, true, NULL } };
    struct request request = frame_of_whole("who", 1);
    request.settings = set;
    request.setting_count = 2;
    struct scene *scene = help_step(&request);
    const struct scene_question *q = scene->step->question;
    assert_true(scene->step->locked);
    assert_int_equal(q->predict, PREDICT_TRAVEL);
    assert_true(scene->step->knobs[0].value == 1e-12);
    assert_true(scene->step->knobs[1].value == 0);
    assert_int_equal(q->travel_from_count, 2);
    assert_string_equal(q->travel_from[0].name, "eps");
    assert_int_equal(q->travel_from[1].kind, SETTING_SWITCH);
    assert_false(q->travel_from[1].on);
    assert_true(q->travel_to[0].number == 1e-3);
    assert_true(q->travel_to[1].on);
    scene_free(scene);

    request.answer = "what?";
    scene = help_step(&request);
    assert_int_equal(scene->step->question->verdict, VERDICT_UNREAD);
    assert_true(scene->step->locked);
    scene_free(scene);

    for (int right = 0; right < 2; right++) {
        request.answer = right ? "quiet" : "both";
        request.sure = 3;
        scene = help_step(&request);
        q = scene->step->question;
        assert_int_equal(q->verdict, right ? VERDICT_RIGHT : VERDICT_WRONG);
        assert_true(q->final);
        assert_false(scene->step->locked);
        assert_true(scene->step->knobs[0].value == 0.5);
        assert_true(scene->step->knobs[1].value == 1);
        assert_true(*q->why && *q->answer);
        assert_true(right ? !*q->say : strstr(q->say, "loud one") != NULL);
        scene_free(scene);
    }
}

static void a_hidden_view_opens_with_the_answer(void **state)
{
    (void)state;
    struct request request = frame_of_whole("unseen", 1);
    struct scene *scene = help_step(&request);
    assert_int_equal(scene->step->question->predict, PREDICT_HIDDEN);
    assert_null(scene->step->view);
    assert_int_equal(scene->step->axis_count, 0);
    scene_free(scene);
    request.answer = "1 2 3";
    scene = help_step(&request);
    assert_int_equal(scene->step->question->verdict, VERDICT_WRONG);
    assert_non_null(scene->step->view);
    scene_free(scene);
}

/* ---- lessons as they come ---- */

static void the_outline(void **state)
{
    (void)state;
    struct request request = frame_of_whole("", 1);
    request.kind = REQUEST_LESSON;
    struct scene *scene = help_ask(&request);
    assert_null(scene->error);
    assert_null(scene->step);
    const struct scene_lesson *lesson = scene->lesson;
    assert_string_equal(lesson->id, "whole");
    assert_string_equal(lesson->title, "Everything once");
    assert_string_equal(lesson->about, "One line");
    assert_true(lesson->minutes == 7);
    assert_int_equal(lesson->step_count, HELP_COUNT(STEPS));
    for (size_t s = 0; s < HELP_COUNT(STEPS); s++)
        assert_string_equal(lesson->steps[s].id, STEPS[s]);
    assert_int_equal(lesson->steps[5].kind, STEP_TENSOR);
    assert_string_equal(lesson->steps[0].title, "Look");
    assert_string_equal(lesson->steps[1].title, "again");
    assert_string_equal(lesson->needs.item[0], "normalize");
    assert_non_null(strstr(lesson->remember, "{braces}"));
    scene_free(scene);
}

static void words_and_their_holes(void **state)
{
    (void)state;
    static const struct { const char *words, *filled; } cases[] = {
        { "{1/3}", "0.3333" }, { "{3.65e-7}", "3.65e-7" }, { "{12}", "12" }, { "{12.0}", "12" }, { "{1e7}", "1e7" }, { "{9999.7}", "10000" }, { "{1/3|2}", "0.33" },
        { "{1/3|.2e}", "3.33e-01" }, { "{100 * 0.123|0} %", "12 %" }, { "{0/0} {1/0} {-1/0}", "nan inf -inf" }, { "{-0.0}", "0" }, { "{true}", "true" },
        { "{tensor { 1, 2.5 }}", "[1.0, 2.5]" }, { "{tensor { 1, 2 }.shape}", "(2,)" }, { "{tensor.zeros { 2, 3, 1 }.shape}", "(2, 3, 1)" },
        { "{tensor.zeros { 17 }}", "tensor (17,)" }, { "{tensor.zeros { 4, 4 }[1]}", "[0, 0, 0, 0]" }, { "{{x}} }} }", "{x} } }" }, { "{'}'} {\"{\"}", "} {" },
        { "{({ 1, 2 })[2]}", "2" }, { "{1 | 2}", "1.00" }, { "{(1 | 2)}", "3" }, { "`{1}` **{2}**", "`1` **2**" }, { "    {not}", "    {not}" },
        { "```\n{not}\n```\n{1}", "```\n{not}\n```\n1" }, { "a\n\n    {not}\n\n- b\n\n    {2}", "a\n\n    {not}\n\n- b\n\n    2" }, { "{\n1 +\n2}", "3" }, { "", "" },
        { "{tensor { 1/3, 100 }}", "[0.3, 100.0]" }, { "{tensor { nan, 1 }}", "[nan, 1]" }, { "{nn}", NULL }, { "{print}", NULL }, { "{sqrt}", NULL },
        { "{tensor { { 1, 2 }, { 3, 4 } }|1}", "[[1.0, 2.0], [3.0, 4.0]]" }, { "{'text'|3}", "text" },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        char source[600], words[300] = "";
        for (const char *at = cases[i].words; *at; at++)
            snprintf(words + strlen(words), sizeof words - strlen(words), *at == '\n' ? "\\n" : strchr("'\"", *at) ? "\\%c" : "%c", *at);
        snprintf(source, sizeof source, LESSON("step 's' { text = '%s' }"), words);
        struct request request = help_frame(source, "s");
        struct scene *scene = help_ask(&request);
        if (!cases[i].filled ? !scene->error : scene->error || strcmp(scene->step->text, cases[i].filled))
            fail_msg("`%s`: `%s`", cases[i].words, scene->error ? scene->error : scene->step->text);
        scene_free(scene);
    }
}

/* Views that a function makes are checked when they are made. */
static void views_made_by_functions(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "view.plot {}", "view.plot { over = 5, lines = 6 }", "view.plot { over = {}, lines = {} }", "view.plot { over = { 's', 0, 1 }, lines = { 5 } }",
        "view.plot { over = { 's', 0, 1 }, lines = { {} } }", "view.plot { over = { 's', 0, 1 }, lines = { { 's' } }, marks = { 5 } }", "view.bars {}", "view.bars { names = { 'a' } }",
        "view.bars { 'x', nmaes = { 'a' } }", "view.row {}", "view.row { 5 }", "view.table { 5 }", "view.table {}", "view.tokens { d }", "view.tokens { 'tensor.zeros { 0 }' }",
        "view.tokens { 5 }", "view.pipeline { 5 }", "view.tokens { { 1, 'a' } }", "view.tokens { { { 1, 2 }, { 3 } } }", "step 'x' { text = 't' }", "5", "nil",
        "{ view.bars { 'tensor { 1 }' } }", "view.tokens { 'tensor { 1, 2 }', scale = 'tensor { 1, 2, 3 }' }", "view.tokens { 'tensor { 1, 2 }', eps = -1 }",
        "view.tokens { 'tensor { 1, 2 }', norm = 'batch' }", "view.tokens { 'tensor { 1, 2 }', eps = 'tensor { 1, 2 }' }",
        "(function() local v = view.bars { 'tensor { 1 }' } for i = 1, 40 do v = view.row { v } end return v end)()", "error('no view')", "error({})",
    };
    for (size_t i = 0; i < HELP_COUNT(bad); i++) {
        char source[600];
        snprintf(source, sizeof source, LESSON("step 's' { text = 't',\nshow = function(d) return %s end }"), bad[i]);
        struct request request = help_frame(source, "s");
        struct scene *scene = help_ask(&request);
        if (!scene->error || strncmp(scene->error, "lessons/try.lua:", 16) || strstr(scene->error, "formula:"))
            fail_msg("%s: %s", bad[i], scene->error ? scene->error : "no error");
        scene_free(scene);
    }
}

/* Facts cannot be changed by the formulas that read them. */
static void facts_are_read_only(void **state)
{
    (void)state;
    static const char *const bad[] = { "(function() x = 5 end)()", "(function() x[1] = 5 end)()", "x:set({ 1 }, 5)", "x[1]:set({ 1 }, 5)", "y:set({ 1 }, 5)", "(function() new = 5 return 1 end)()" };
    for (size_t i = 0; i < HELP_COUNT(bad); i++) {
        char source[600];
        snprintf(source, sizeof source, LESSON("data = function() return { x = tensor { { 1, 2 }, { 3, 4 } } } end, given = { y = 'x[1] * 2' },\nstep 's' { text = '{%s}' }"), bad[i]);
        struct request request = help_frame(source, "s");
        struct scene *scene = help_ask(&request);
        if (!scene->error || strncmp(scene->error, "lessons/try.lua:4: step \"s\": `text`: ", 37))
            fail_msg("%s: %s", bad[i], scene->error ? scene->error : scene->step->text);
        scene_free(scene);
    }
}

static void names_in_formulas_are_told_from_other_words(void **state)
{
    (void)state;
    static const char *const good[] = {
        "(function(a, b) local c = a + b for i = 1, 3 do c = c + i end return c end)(1, 2)", "#'abc' + x", "x .. ''", "({ key = 1 }).key", "f { a = 1, b = 2; c = 3 }", "0x1F + 1e-5 + 3.5e+2",
        "x == 1 and true or not nil", "('a'):rep(2)", "x--[[ a remark ]]", "[[long text]]", "\"a'b\" .. 'c\\'d'", "(function(...) return select('#', ...) end)(1)",
        "(function() for k, v in pairs({}) do return k end return 0 end)()", "(function() while false do end repeat local z = 1 until true return 1 end)()",
        "(function() goto done ::done:: return 1 end)()", "f{x=x}",
    };
    for (size_t i = 0; i < HELP_COUNT(good); i++) {
        char source[600];
        snprintf(source, sizeof source, "return lesson 'try' { format = 1, title = 't', given = { x = 1, it = [==[%s]==] },\ndefine = { f = function(t) return t.a or 0 end },\nstep 's' { text = '{it}' } }", good[i]);
        struct request request = help_frame(source, "s");
        struct scene *scene = help_ask(&request);
        if (scene->error)
            fail_msg("%s: %s", good[i], scene->error);
        scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fresh_engine_says_the_same),
        cmocka_unit_test(fifty_seeds_of_every_step),
        cmocka_unit_test(an_engine_forgets),
        cmocka_unit_test(errors_are_remembered_right),
        cmocka_unit_test(a_given_that_fails_fails_alike),
        cmocka_unit_test(a_given_beyond_its_end),
        cmocka_unit_test(each_seed_is_checked),
        cmocka_unit_test(knobs_move_and_stop),
        cmocka_unit_test(everything_follows_a_knob),
        cmocka_unit_test(cells_that_are_edited),
        cmocka_unit_test(cursors),
        cmocka_unit_test(stages),
        cmocka_unit_test(a_stream_for_each_step),
        cmocka_unit_test(courses_and_ids_key_the_numbers),
        cmocka_unit_test(seeds_are_long),
        cmocka_unit_test(draws_are_repeated_until_they_fit),
        cmocka_unit_test(pairs_go_in_order),
        cmocka_unit_test(what_is_hidden_is_nowhere),
        cmocka_unit_test(the_answer_is_nowhere_before_it_is_given),
        cmocka_unit_test(hints_open_one_by_one),
        cmocka_unit_test(giving_up_shows_the_answer),
        cmocka_unit_test(a_wrong_answer_can_be_mended),
        cmocka_unit_test(a_prediction_locks_the_knobs),
        cmocka_unit_test(a_hidden_view_opens_with_the_answer),
        cmocka_unit_test(the_outline),
        cmocka_unit_test(words_and_their_holes),
        cmocka_unit_test(views_made_by_functions),
        cmocka_unit_test(facts_are_read_only),
        cmocka_unit_test(names_in_formulas_are_told_from_other_words),
    };
    return cmocka_run_group_tests(tests, open_lesson, close_lesson);
}
