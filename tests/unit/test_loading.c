/* What is wrong in a lesson's file is said once, at its line. */
#include "engine_help.h"

#include <ctype.h>
#include <stdio.h>

/* The parts stand from line 3 on. */
#define STEP "step 's' { text = 't' },\n"
#define ASK(fields) "ask.number 'q' { text = 't', why = 'w', answer = '2/3',\n" fields " },"
#define CHOICE(parts) "ask.choice 'c' { text = 't', why = 'w',\n" parts " },"
#define KNOB(knob) "given = { start = 5 },\nstep 's' { text = 't', knobs = {\n" knob "\n} },"

struct fault {
    const char *source;
    int line;              /* 0: no line is said */
    const char *words[4];  /* each must be there, "…$" at the end */
};

static bool has(const char *text, const char *words)
{
    size_t length = strlen(words) - 1, all = strlen(text);
    if (words[length] != '$')
        return strstr(text, words);
    return all >= length && !strncmp(text + all - length, words, length);
}

static bool load(const char *file, const char *source, int line, const char *const *words)
{
    static const struct request_shared shared[] = {
        { "blocks", "return { twice = function(x) return 2 * x end }" }, { "broken", "return {\n\nx = }" }, { "nothing", "local x = 1" },
        { "raises", "local M = {}\nfunction M.f(x)\n  error('no good')\nend\nreturn M" }, { "itself", "return use 'itself'" },
    };
    struct request request = help_request(REQUEST_LESSON, source);
    request.file = file;
    request.shared = shared;
    request.shared_count = HELP_COUNT(shared);
    struct scene *scene = help_ask(&request);
    if (!scene->error) {
        print_error("nothing was said about:\n%s\n", source);
        scene_free(scene);
        return false;
    }
    char place[128];
    snprintf(place, sizeof place, line ? "%s:%d: " : "%s: ", file, line);
    bool good = !strncmp(scene->error, place, strlen(place));
    good = good && !strstr(scene->error + 1, file); /* one place, one message */
    for (const char *at = scene->error; *at; at++)
        good = good && !iscntrl((unsigned char)*at);
    for (size_t i = 0; i < 4 && words && words[i]; i++)
        good = good && has(scene->error, words[i]);
    good = good && !scene->step && !strstr(scene->error, "(null)") && !strstr(scene->error, "[string") && !strstr(scene->error, "formula:");
    if (!good)
        print_error("said: %s\nwanted: %s… %s … %s\nabout:\n%s\n", scene->error, place, words && words[0] ? words[0] : "",
                 words && words[0] && words[1] ? words[1] : "", source);
    scene_free(scene);
    return good;
}

static void check(const struct fault *faults, size_t count)
{
    size_t bad = 0;
    for (size_t i = 0; i < count; i++)
        bad += !load("lessons/try.lua", faults[i].source, faults[i].line, faults[i].words);
    assert_int_equal(bad, 0);
}
#define CHECK(faults) check(faults, HELP_COUNT(faults))

static void good_lessons_load(void **state)
{
    (void)state;
    static const char *const sources[] = {
        LESSON(STEP), LESSON(ASK("")), LESSON(ASK("places = 0")), LESSON(KNOB("knob.log 'start' { 1, 10 }")), LESSON(KNOB("knob.switch 'off_or_on' {}")),
        LESSON(KNOB("knob.pick 'order' { 'pre', 'post', at = 'post', names = { pre = 'before {start}' } }")),
        LESSON(KNOB("knob.linear 'start' { -1, 10, at = 'start + 1', stops = 1, label = 'at {start}' }")),
        LESSON(CHOICE("option 'a' { 'A', right = true }, option 'b' { 'B', say = '.' }")),
        LESSON("step 's' { text = '{{x}} and ` }` and {#{ 1, 2 }} {(function(a) local b = a; return b end)(3)} {\"}\"} {1e-5|.2e} {1/3|2}' }"),
        LESSON("step 's' { text = [[\n    code {not a hole\n\n```\n{ nor this\n```\n]] }"),
        LESSON("step 's' { text = 't', show = function(d) return view.bars { 'tensor{ 1, 2 }' } end }"),
        LESSON("given = { z = 'y + 1', y = 'x + 1', x = 1 }, step 's' { given = { w = 'z' }, text = '{w}' }"),
        LESSON("define = (use 'blocks'), step 's' { text = '{twice(4)}' }"),
        LESSON("data = function(random) return { x = random:integers { 4 }, list = { 1, 2, 3 }, name = 'plain (' } end,\n"
               "step 's' { data = function(random, d) return { y = d.x + 1 } end, text = '{y} {list[1]} {name}', edit = { 'x', 'y' }, cursor = { feature = 2 } }"),
        LESSON(STEP "step 'next' { text = 't', show = 's' }, ask.tensor 'row' { text = 't', why = '{answer}', answer = { 1, 2 }, show = 'next' }"),
        LESSON("given = { x = 'tensor{ 1, 2 }' }, ask.number 'q' { text = 't', why = 'w', answer = 'x[1] / 3', allow = { 'x' }, show = view.bars { 'x' }, hide = { 'cells' },\n"
               "mistake 'm' { by = 'x[2]', say = '{got} {at}', when = 'x[1] < 2' }, hints = { 'h {x}' }, predict = true }"),
    };
    static const struct request_shared shared = { "blocks", "return { twice = function(x) return 2 * x end }" };
    for (size_t i = 0; i < HELP_COUNT(sources); i++)
        for (int frame = 0; frame < 2; frame++) {
            struct request request = help_request(frame ? REQUEST_FRAME : REQUEST_LESSON, sources[i]);
            request.shared = &shared;
            request.shared_count = 1;
            struct scene *scene = help_ask(&request);
            if (scene->error)
                fail_msg("%s\nabout:\n%s", scene->error, sources[i]);
            assert_non_null(scene->lesson);
            scene_free(scene);
        }
}

static void unknown_fields_and_kinds(void **state)
{
    (void)state;
    static const struct fault faults[] = {
        { LESSON("tittle = 'x', " STEP), 3, { "lesson \"try\"", "`tittle`", "`title`" } },
        { LESSON("step 's' {\ntext = 't',\ntxet = 'u' }"), 5, { "step \"s\"", "`txet`", "`text`" } },
        { LESSON("ask.number 'q' { text = 't', why = 'w', answer = 1,\nhint = { 'h' } }"), 4, { "`hint`", "`hints`" } },
        { LESSON("ask.tensor 'q' { text = 't', why = 'w', answer = { 1 },\nzzzzzzzzzzz = 1 }"), 4, { "has no field `zzzzzzzzzzz`" } },
        { LESSON(ASK("mistake 'm' {\nby = 1, say = 's',\nif_ = true }")), 6, { "mistake \"m\"", "`if_`" } },
        { LESSON(CHOICE("option 'a' { 'A', rihgt = true }, option 'b' { 'B', say = '.' }")), 4, { "`rihgt`", "`right`" } },
        { LESSON(KNOB("knob.log 'start' { 1, 10, stop = 3 }")), 5, { "knob.log \"start\"", "`stop`", "`stops`" } },
        { LESSON("step 's' { text = 't',\nshow = view.bars { 'tensor{1}', name = { 'a' } } }"), 4, { "view.bars", "`name`", "`names`" } },
        { LESSON("step 's' { text = 't',\nshow = view.column { view.row {\nview.tokens { 'tensor{1}', epss = 1 } } } }"), 5, { "view.tokens", "`epss`", "`eps`" } },
        { LESSON("step 's' { text = 't', show = view.plot { over = { 's', 0, 1,\nlgo = true }, lines = { { 's' } } } }"), 4, { "view.plot", "`lgo`", "`log`" } },
        { LESSON("step 's' { text = 't', show = view.plot { over = { 's', 0, 1 },\nlines = { { 's', lable = 'a' } } } }"), 4, { "`lines`", "`lable`", "`label`" } },
        { LESSON(KNOB("knob.pick 'order' { 'pre', 'post', names = { per = 'before' } }")), 5, { "\"per\" is none of the words" } },
        { LESSON(KNOB("knob.int 'end' { 1, 2 }")), 5, { "`end` is taken" } },
        { LESSON("data = function(random) return { nn = 1 } end, " STEP), 3, { "`nn` is taken" } },
        { LESSON("ask.nubmer 'q' { }"), 3, { "unknown kind of ask `nubmer`", "`number`" } },
        { LESSON("step 's' { text = 't',\nknobs = { knob.lgo 'a' { 1, 2 } } }"), 4, { "kind of knob `lgo`", "`log`" } },
        { LESSON("step 's' { text = 't',\nshow = view.barz { 'tensor{1}' } }"), 4, { "kind of view `barz`", "`bars`" } },
        { LESSON("stepp 's' { text = 't' }"), 3, { "unknown name `stepp`", "`step`" } },
        { LESSON("step 's' { text = 't', given = { a = tensr.zeros { 2 } } }"), 3, { "`tensr`", "`tensor`" } },
        { LESSON("step 's' { text = 't', given = { a = tensor.zeroes { 2 } } }"), 3, { "`zeroes`", "`zeros`" } },
        { LESSON("step 's' { text = 't' }, os.exit()"), 3, { "unknown name `os`" } },
        { LESSON("step 's' { text = 't',\nshow = view.bars { nn.softmax(z / 2) } }"), 4, { "unknown name `z`; a formula is a string: put it in quotes" } },
        { LESSON("step 's' { text = 't', given = { a = softmax(1) } }"), 3, { "unknown name `softmax`; did you mean `nn.softmax`?" } },
        { LESSON("data = function(random) return { x = random:ints { 4 } } end, " STEP), 3,
          { "method of random `ints`; there are integer, integers, normal, pick, shuffle, uniform" } },
        { LESSON("data = function(random) return { x = random:integers { 4, least = 1 } } end, " STEP), 3, { "unknown key `least`; there are from, to, distinct" } },
        { LESSON("data = function(random) return { x = 1 } end,\nstep 's' { text = 't',\ndata = function(random) return { y = x } end }"), 5,
          { "unknown name `x`; a fact of the lesson is in the second argument of `data`: function(random, d) … d.x$" } },
        { LESSON("[1.5] = 3, " STEP), 1, { "lesson \"try\"" } },
        { LESSON("[true] = 3, " STEP), 1, { "lesson \"try\"" } },
    };
    CHECK(faults);
}

static void unknown_facts(void **state)
{
    (void)state;
    static const struct fault faults[] = {
        { LESSON("given = { mean = 2 },\nstep 's' {\ntext = 'it is {maen}' }"), 5, { "step \"s\": `text`", "unknown name `maen`", "`mean`" } },
        { LESSON("given = { mean = 2 },\nask.number 'q' { text = 't', why = 'w',\nanswer = 'maen' }"), 5, { "`answer`", "`maen`", "`mean`" } },
        { LESSON("given = { mean = 2 },\nask.number 'q' { text = 't', answer = 1,\nwhy = '{maen}' }"), 5, { "`why`", "`maen`", "`mean`" } },
        { LESSON("given = { mean = 2 },\nask.number 'q' { text = 't', answer = 1, why = 'w',\nhints = { '{mean}',\n'{maen}' } }"), 6, { "`hints.2`", "`maen`" } },
        { LESSON("given = { mean = 2 },\nask.number 'q' { text = 't', answer = 1, why = 'w',\nalso = { 'mean', 'maen' } }"), 5, { "`also.2`", "`maen`" } },
        { LESSON("given = { mean = 2 },\nask.number 'q' { text = 't', answer = 1, why = 'w',\nallow = { 'maen' } }"), 5, { "`allow`", "`maen`", "`mean`" } },
        { LESSON("given = { mean = 2 }, step 's' { text = 't',\nedit = { 'maen' } }"), 4, { "`edit`", "`maen`", "`mean`" } },
        { LESSON(ASK("mistake 'm' {\nby = 'xyz', say = 's' }")), 5, { "mistake \"m\"", "`by`", "`xyz`" } },
        { LESSON(ASK("mistake 'm' { by = 1,\nsay = '{gott}' }")), 5, { "`say`", "`gott`" } },
        { LESSON(ASK("mistake 'm' { by = 1, say = 's',\nwhen = 'xyz' }")), 5, { "`when`", "`xyz`" } },
        { LESSON(CHOICE("option 'a' {\n'A {xyz}', right = true }, option 'b' { 'B', say = '.' }")), 4, { "option \"a\"", "`xyz`" } },
        { LESSON(CHOICE("option 'a' { 'A', right = true }, option 'b' { 'B',\nsay = '{xyz}' }")), 5, { "option \"b\"", "`say`", "`xyz`" } },
        { LESSON("given = {\na = 1,\nb = 'aa + 1' }, " STEP), 5, { "unknown name `aa`" } },
        { LESSON("step 's' { text = 't',\nshow = view.bars { 'tensor{ xyz }' } }"), 4, { "view.bars", "`xyz`" } },
        { LESSON("step 's' { text = 't',\nshow = view.row { view.tokens { 'tensor{ 1 }',\neps = 'xyz' } } }"), 5, { "view.tokens", "`xyz`" } },
        { LESSON("step 's' { text = 't',\nshow = view.plot { over = { 's', 0, 1 },\nlines = { { 's' }, -- {\n{ 's * xyz' } } } }"), 6, { "view.plot", "`lines.2`", "`xyz`" } },
        { LESSON("step 's' { text = 't',\nshow = view.plot { over = { 's', 0, 1 }, lines = { { 's' } },\nmarks = { { 'xyz', label = 'm' } } } }"), 5, { "`marks.1`", "`xyz`" } },
        { LESSON("step 's' { text = 't',\nshow = view.plot { lines = { { 's' } },\nover = { 's', 0, 'xyz' } } }"), 5, { "`over`", "`xyz`" } },
        { LESSON("step 's' { text = 't',\nshow = view.table { { 1, 'xyz' } } }"), 4, { "view.table", "`xyz`" } },
        { LESSON("step 's' { text = 't', knobs = {\nknob.log 'k' { 1, 2,\nat = 'xyz' } } }"), 5, { "knob.log \"k\"", "`at`", "`xyz`" } },
        { LESSON("step 's' { text = 't', knobs = {\nknob.log 'k' { 1, 2,\nlabel = '{xyz}' } } }"), 5, { "`label`", "`xyz`" } },
        { LESSON("goal = 'g {xyz}', " STEP), 3, { "`goal`", "`xyz`" } },
        { LESSON("accept = 'xyz', " STEP), 3, { "`accept`", "`xyz`" } },
        { LESSON("given = { T = 1 },\nstep 's' {\ntext = '{exp(v)}' }"), 5, { "unknown name `v`$" } },
        { LESSON("step 's' {\ntext = '{asser}' }"), 4, { "unknown name `asser`$" } },
        { LESSON("step 's' {\ntext = '{floor(1.5)}' }"), 4, { "`floor`; did you mean `math.floor`?" } },
        { LESSON("ask.number 'q' { text = 't', answer = 1, why = 'w', mistake 'm' { say = 's',\nby = 'answer * 2' } }"), 4, { "`answer`; it is a fact in `why` alone" } },
        /* answers never see a knob */
        { LESSON("ask.number 'q' { text = '{k}', why = 'w', knobs = { knob.int 'k' { 1, 2 } },\nanswer = 'k' }"), 4, { "`answer`", "`k`" } },
        { LESSON("ask.number 'q' { text = '{k}', why = 'w', answer = 1, knobs = { knob.int 'k' { 1, 2 } },\nhints = { '{k}' } }"), 4, { "`hints.1`", "`k`" } },
        { LESSON("ask.number 'q' { text = '{answer}',\nwhy = 'w', answer = 1 }"), 3, { "`text`", "`answer`" } },
    };
    CHECK(faults);
}

static void wrong_sorts(void **state)
{
    (void)state;
    static const struct fault faults[] = {
        { "return lesson \"try\" {\nformat = 1,\ntitle = 5,\n" STEP "}", 3, { "`title` must be a text", "number" } },
        { LESSON("minutes = 'seven', " STEP), 3, { "`minutes` must be a number", "string" } },
        { LESSON("needs = 'mean', " STEP), 3, { "`needs` must be a list" } },
        { LESSON("needs = { 'mean', 3 }, " STEP), 3, { "`needs`", "entry 2", "number" } },
        { LESSON("needs = { first = 'mean' }, " STEP), 3, { "`needs`", "`first`" } },
        { LESSON("data = { x = 1 }, " STEP), 3, { "`data` must be a function", "table" } },
        { LESSON("data = function() return 5 end, " STEP), 3, { "`data` must return a table", "number" } },
        { LESSON("data = function() return { 5 } end, " STEP), 3, { "`data`", "names" } },
        { LESSON("data = function() return { ['not a name'] = 5 } end, " STEP), 3, { "\"not a name\"" } },
        { LESSON("data = function() return { answer = 5 } end, " STEP), 3, { "`answer` is taken" } },
        { LESSON("given = { cursor = 5 }, " STEP), 3, { "`cursor` is taken" } },
        { LESSON("given = 5, " STEP), 3, { "`given` must be a table" } },
        { LESSON("given = { 5 }, " STEP), 3, { "`given` needs names" } },
        { LESSON("given = { a = view.bars { 'x' } }, " STEP), 3, { "`a` must be a formula", "view.bars" } },
        { LESSON("define = { f = 'x' }, " STEP), 3, { "`f` must be a function" } },
        { LESSON("step 's' { text = { 't' } }"), 3, { "`text` must be a text", "table" } },
        { LESSON("step 's' { text = 't',\nknobs = knob.log 'k' { 1, 2 } }"), 4, { "`knobs` must be a list of knobs", "knob.log" } },
        { LESSON("step 's' { text = 't',\nknobs = { 5 } }"), 4, { "`knobs`", "entry 1" } },
        { LESSON("step 's' { text = 't',\nshow = 5 }"), 4, { "`show` must be a view", "number" } },
        { LESSON("step 's' { text = 't',\nshow = { view.bars { 'tensor{1}' } } }"), 4, { "`show` must be a view", "table" } },
        { LESSON("step 's' { text = 't',\nshow = step 'u' { text = 't' } }"), 4, { "`show` must be a view", "step" } },
        { LESSON("step 's' { text = 't',\nshow = view.row { 5 } }"), 4, { "view.row", "entry 1", "number" } },
        { LESSON("step 's' { text = 't',\nshow = view.row { } }"), 4, { "view.row is empty" } },
        { LESSON("step 's' { text = 't',\nshow = view.table { 5 } }"), 4, { "view.table", "row 1" } },
        { LESSON("step 's' { text = 't',\nshow = view.plot { over = { 's', 0 }, lines = { { 's' } } } }"), 4, { "`over` needs the variable's name and two ends" } },
        { LESSON("step 's' { text = 't',\nshow = view.plot { over = { 0, 1 }, lines = { { 's' } } } }"), 4, { "over = { \"s\", from, to }" } },
        { LESSON("step 's' { text = tensor { 1 } }"), 3, { "`text` must be a text, not a tensor" } },
        { LESSON("given = { a = tensor { tensor { 1 } } }, " STEP), 3, { "element 1 is a tensor", "tensor.stack { x, … }" } },
        { LESSON("step 's' { text = 't',\ncursor = { token = 'a' } }"), 4, { "`cursor`", "token" } },
        { LESSON("step 's' { text = 't',\ncursor = { token = 0 } }"), 4, { "`cursor`", "token" } },
        { LESSON("step 's' { text = 't',\nedit = 'x' }"), 4, { "`edit` must be a list" } },
        { LESSON(ASK("hints = 'h'")), 4, { "`hints` must be a list of texts" } },
        { LESSON(ASK("predict = false")), 4, { "`predict` must be true, or" } },
        { LESSON(ASK("predict = { from = {} }")), 4, { "`predict` needs `to`: predict = { from = { … }, to = { … } }" } },
        { LESSON(ASK("places = '3'")), 4, { "`places` must be a number" } },
        { LESSON(ASK("places = 1.5")), 4, { "`places` must be a whole number" } },
        { LESSON(ASK("digits = 0")), 4, { "`digits` must be a whole number" } },
        { LESSON(ASK("tolerance = 0")), 4, { "`tolerance` must be above 0" } },
        { LESSON(ASK("tolerance = -1")), 4, { "`tolerance`" } },
        { LESSON(ASK("tolerance = 1e-3, places = 3")), 3, { "more than one of places, digits and tolerance" } },
        { LESSON("ask.number 'q' { text = 't', why = 'w',\nanswer = 'tensor{ 1, 2 }' }"), 4, { "`answer`", "2 numbers", "ask.tensor" } },
        { LESSON("ask.tensor 'q' { text = 't', why = 'w',\nanswer = 5 }"), 4, { "`answer`", "ask.number" } },
        { LESSON("ask.number 'q' { text = 't', why = 'w',\nanswer = '\"five\"' }"), 4, { "`answer` must come to a number" } },
        { LESSON("ask.number 'q' { text = 't', why = 'w',\nanswer = true }"), 4, { "`answer` must come to a number" } },
        { LESSON(ASK("mistake 'm' {\nby = '\"x\"', say = '.' }")), 5, { "`by` must come to a number" } },
        { LESSON("accept = '5', " STEP), 3, { "`accept` must come to true or false", "number" } },
        { LESSON("given = { w = '\"word\"' }, ask.number 'q' { text = 't', why = 'w', answer = 1,\nallow = { 'w' } }"), 4, { "`allow`", "`w`" } },
        { LESSON("given = { w = 5 }, step 's' { text = 't',\nedit = { 'w' } }"), 4, { "`edit`", "`w`" } },
        { LESSON("return 5"), 3, { "unexpected symbol" } },
    };
    CHECK(faults);
}

static void what_must_be_there(void **state)
{
    (void)state;
    static const struct fault faults[] = {
        { "return lesson \"try\" { title = 't', " STEP "}", 1, { "needs the field `format`: write format = 1" } },
        { "return lesson \"try\" {\nformat = 1, " STEP "}", 1, { "needs the field `title`" } },
        { LESSON("step 's' { }"), 3, { "step \"s\" needs the field `text`" } },
        { LESSON("\nask.number 'q' { text = 't', why = 'w' }"), 4, { "needs the field `answer`" } },
        { LESSON("ask.tensor 'q' { text = 't', answer = { 1 } }"), 3, { "needs the field `why`" } },
        { LESSON(ASK("mistake 'm' { by = 1 }")), 4, { "needs the field `say`" } },
        { LESSON(ASK("mistake 'm' { say = '.' }")), 4, { "needs the field `by`" } },
        { LESSON(CHOICE("option 'a' { right = true }, option 'b' { 'B', say = '.' }")), 4, { "option \"a\"", "entry without a key" } },
        { LESSON(CHOICE("option 'a' { 'A', right = true }, option 'b' { 'B' }")), 4, { "option \"b\" needs the field `say`" } },
        { LESSON(CHOICE("option 'a' { 'A', right = 'true' }, option 'b' { 'B', say = '.' }")), 4, { "option \"a\" needs the field `say`" } },
        { LESSON(CHOICE("option 'a' { 'A', right = true }")), 3, { "at least two options" } },
        { LESSON(CHOICE("option 'a' { 'A', say = '.' }, option 'b' { 'B', say = '.' }")), 3, { "0 options are right" } },
        { LESSON(CHOICE("option 'a' { 'A', right = true }, option 'b' { 'B', right = true }")), 3, { "2 options are right" } },
        { LESSON("step 's' { text = 't', show = view.bars { } }"), 3, { "view.bars needs an entry" } },
        { LESSON("step 's' { text = 't', show = view.plot { lines = { { 's' } } } }"), 3, { "view.plot needs the field `over`" } },
        { LESSON(""), 1, { "no step" } },
        { LESSON(ASK("accept = 'true'")), 4, { "`accept` needs the question's own `data`" } },
    };
    CHECK(faults);
}

static void ids(void **state)
{
    (void)state;
    static const struct fault faults[] = {
        { LESSON("step { text = 't' }"), 3, { "step needs an id" } },
        { LESSON("ask.number { text = 't' }"), 3, { "ask.number needs an id" } },
        { LESSON(ASK("mistake { by = 1 }")), 4, { "mistake needs an id" } },
        { LESSON("step 'Big' { text = 't' }"), 3, { "\"Big\"", "a-z, 0-9 and -" } },
        { LESSON("step 'a b' { text = 't' }"), 3, { "\"a b\"" } },
        { LESSON("step '' { text = 't' }"), 3, { "id" } },
        { LESSON("step 'a_b' { text = 't' }"), 3, { "\"a_b\"" } },
        { LESSON("step '\xc3\xa4' { text = 't' }"), 3, { "id" } },
        { LESSON("step 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' { text = 't' }"), 3, { "longer than" } },
        { LESSON("step(5) { text = 't' }"), 3, { "id of step", "number" } },
        { LESSON("step 's'"), 1, { "part 1 of lesson \"try\" is a function" } },
        { LESSON("step 's' 'text'"), 3, { "step \"s\" needs braces" } },
        { LESSON("view.bars 'x'"), 3, { "view.bars needs braces" } },
        { LESSON(KNOB("knob.log 'a-b' { 1, 2 }")), 5, { "\"a-b\"", "name in Lua" } },
        { LESSON(KNOB("knob.log '1a' { 1, 2 }")), 5, { "\"1a\"" } },
        { LESSON(KNOB("knob.log 'start' { 1, 10 },\nknob.int 'start' { 1, 10 }")), 6, { "\"start\" is used twice", "line 5" } },
        { LESSON(STEP STEP), 4, { "\"s\" is used twice", "line 3" } },
        { LESSON(ASK("mistake 'm' { by = 1, say = '.' },\nmistake 'm' { by = 2, say = '.' }")), 5, { "\"m\" is used twice", "line 4" } },
        { LESSON(CHOICE("option 'a' { 'A', right = true },\noption 'a' { 'B', say = '.' }")), 5, { "\"a\" is used twice", "line 4" } },
    };
    CHECK(faults);
}

static void facts_with_one_name(void **state)
{
    (void)state;
    static const struct fault faults[] = {
        { LESSON("given = { a = 1 },\ndata = function() return { a = 2 } end, " STEP), 3, { "`a`", "twice", "line 4" } },
        { LESSON("given = { a = 1 },\nstep 's' { text = 't',\ngiven = { a = 2 } }"), 5, { "step \"s\"", "`a`", "twice", "line 3" } },
        { LESSON("given = { a = 1 },\nstep 's' { text = 't',\ndata = function() return { a = 2 } end }"), 5, { "`a`", "twice", "line 3" } },
        { LESSON("define = { a = function() end },\nstep 's' { text = 't',\ngiven = { a = 2 } }"), 5, { "`a`", "twice", "line 3" } },
        { LESSON("step 's' { text = 't', data = function() return { a = 2 } end,\ngiven = { a = 2 } }"), 4, { "`a`", "twice" } },
    };
    CHECK(faults);
}

static void parts_where_they_may_not_stand(void **state)
{
    (void)state;
    static const struct fault faults[] = {
        { LESSON("mistake 'm' { by = 1, say = '.' }"), 3, { "mistake may not stand in lesson \"try\"" } },
        { LESSON("view.bars { 'tensor{1}' }"), 3, { "view.bars may not stand in lesson" } },
        { LESSON(STEP "5"), 1, { "part 2 of lesson \"try\" is a number" } },
        { LESSON("step 's' { text = 't',\nstep 'u' { text = 't' } }"), 4, { "step may not stand in step \"s\"" } },
        { LESSON("step 's' { text = 't',\n'words' }"), 3, { "part 1 of step \"s\" is a string" } },
        { LESSON(ASK("option 'm' { 'A', right = true }")), 4, { "option may not stand in ask.number \"q\"" } },
        { LESSON(CHOICE("mistake 'm' { by = 1, say = '.' }")), 4, { "mistake may not stand in ask.choice \"c\"" } },
        { LESSON(ASK("mistake 'm' { by = 1, say = '.', 5 }")), 4, { "mistake \"m\"", "number" } },
        { LESSON("step 's' { text = 't',\nshow = view.bars { 'tensor{1}', 'tensor{2}' } }"), 4, { "view.bars", "without a key" } },
        { LESSON(KNOB("knob.switch 'w' { 1 }")), 5, { "knob.switch \"w\"", "number" } },
    };
    CHECK(faults);
}

static void knobs(void **state)
{
    (void)state;
    static const struct fault faults[] = {
        { LESSON(KNOB("knob.log 'k' { 1 }")), 5, { "knob.log \"k\" needs two numbers" } },
        { LESSON(KNOB("knob.log 'k' { 1, 2, 3 }")), 5, { "needs two numbers" } },
        { LESSON(KNOB("knob.linear 'k' { 2, 1 }")), 5, { "the second larger" } },
        { LESSON(KNOB("knob.linear 'k' { 1, 1 }")), 5, { "the second larger" } },
        { LESSON(KNOB("knob.linear 'k' { 'a', 1 }")), 5, { "needs two numbers" } },
        { LESSON(KNOB("knob.linear 'k' { 0, 1/0 }")), 5, { "needs two numbers" } },
        { LESSON(KNOB("knob.linear 'k' { 0/0, 1 }")), 5, { "needs two numbers" } },
        { LESSON(KNOB("knob.log 'k' { 0, 1 }")), 5, { "above 0" } },
        { LESSON(KNOB("knob.log 'k' { -1, 1 }")), 5, { "above 0" } },
        { LESSON(KNOB("knob.int 'k' { 0.5, 2 }")), 5, { "whole numbers" } },
        { LESSON(KNOB("knob.pick 'k' { 'one' }")), 5, { "at least two words" } },
        { LESSON(KNOB("knob.pick 'k' { 'one', 2 }")), 5, { "word 2 is a number; write words in quotes: {" } },
        { LESSON(KNOB("knob.log 'k' { 1, 10,\nstops = 0 }")), 6, { "`stops`" } },
        { LESSON(KNOB("knob.log 'k' { 1, 10,\nat = 11 }")), 6, { "knob.log \"k\" starts outside its ends" } },
        { LESSON(KNOB("knob.log 'k' { 1, 10,\nat = 0.5 }")), 6, { "outside" } },
        { LESSON(KNOB("knob.log 'k' { 1, 10,\nat = 'start * 3' }")), 6, { "outside" } },
        { LESSON(KNOB("knob.log 'k' { 1, 10,\nat = 'start > 3' }")), 6, { "outside its ends, or at a value of another sort" } },
        { LESSON(KNOB("knob.int 'k' { 1, 10,\nat = 2.5 }")), 6, { "knob.int \"k\"", "outside" } },
        { LESSON(KNOB("knob.log 'start' { 6, 10 }")), 5, { "knob.log \"start\"", "outside" } },
        { LESSON(KNOB("knob.switch 'k' { at = 1 }")), 5, { "another sort" } },
        { LESSON(KNOB("knob.pick 'k' { 'a', 'b',\nat = '\"c\"' }")), 6, { "outside" } },
        { LESSON(ASK("predict = { from = { depth = 1 }, to = { depth = 2 } }")), 4, { "`predict`", "no knob `depth` here$" } },
        { LESSON(ASK("knobs = { knob.int 'depth' { 1, 4 } },\npredict = { from = { depth = 1 }, to = { dept = 2 } }")), 5, { "no knob `dept` here; did you mean `depth`?" } },
        { LESSON(ASK("knobs = { knob.int 'depth' { 1, 4 } },\npredict = { from = { depth = 1 }, to = { width = 2 } }")), 5, { "no knob `width` here; there is depth$" } },
        { LESSON(ASK("knobs = { knob.int 'depth' { 1, 4 } },\npredict = { from = { depth = 1 }, to = { depth = 5 } }")), 5, { "`depth` cannot stand at 5, as `to` says: it takes a whole number from 1 to 4" } },
        { LESSON(ASK("knobs = { knob.log 'T' { 0.1, 10 } },\npredict = { from = { T = 1 }, to = { T = '10 * 10' } }")), 5, { "`T` cannot stand at 100", "it takes a number from 0.1 to 10" } },
        { LESSON(ASK("knobs = { knob.switch 'on' {} },\npredict = { from = { on = 1 }, to = { on = true } }")), 5, { "`on` cannot stand at 1", "true or false" } },
        { LESSON(ASK("knobs = { knob.pick 'order' { 'pre', 'post' } },\npredict = { from = { order = 'none' }, to = { order = 'pre' } }")), 5, { "`order` cannot stand at none", "`from`", "one of pre, post" } },
        { LESSON(ASK("also = { 'tensor { 1, 2 }' }")), 4, { "`also` comes to 2 numbers" } },
        { LESSON(ASK("mistake 'm' {\nby = 'tensor { 1, 2 }', say = 's' }")), 5, { "mistake \"m\"", "`by` comes to 2 numbers" } },
        { LESSON(CHOICE("option 'a' { 'A', right = true },\noption 'b' { 'B', say = '{got}' }")), 5, { "option \"b\"", "`got`" } },
    };
    CHECK(faults);
}

static void formulas_words_and_holes(void **state)
{
    (void)state;
    static const struct fault faults[] = {
        { LESSON("step 's' {\ntext = 'an {} hole' }"), 4, { "`text`", "empty hole" } },
        { LESSON("step 's' {\ntext = 'an {  } hole' }"), 4, { "empty hole" } },
        { LESSON("step 's' {\ntext = 'an {|3} hole' }"), 4, { "empty hole" } },
        { LESSON("step 's' {\ntext = 'an {1 hole' }"), 4, { "`text`", "never closed" } },
        { LESSON("step 's' {\ntext = 'an { hole\\n\\nand more' }"), 4, { "never closed" } },
        { LESSON("step 's' {\ntext = 'an {\"} hole' }"), 4, { "never closed" } },
        { LESSON("step 's' {\ntext = 'an {1 +} hole' }"), 4, { "`text`" } },
        { LESSON("step 's' {\ntext = 'a {local x = 1} hole' }"), 4, { "`text`" } },
        { LESSON(ASK("hints = { 'fine', 'an {1 hole' }")), 4, { "`hints.2`", "never closed" } },
        { LESSON("ask.number 'q' { text = 't', why = 'w',\nanswer = '1 +' }"), 4, { "ask.number \"q\": `answer`", "<eof>" } },
        { LESSON("ask.number 'q' { text = 't', why = 'w',\nanswer = 'x = 5' }"), 4, { "`answer`", "one expression, without `=`" } },
        { LESSON("ask.number 'q' { text = 't', why = 'w',\nanswer = 'return 5' }"), 4, { "`answer`", "one expression, without `return`" } },
        { LESSON("accept = '1 != 2', " STEP), 3, { "`accept`", "not equal is written ~=" } },
        { LESSON("step 's' {\ntext = '{2 ** 3}' }"), 4, { "`text`", "a power is written ^" } },
        { LESSON("given = {\nfine = 1,\nbad = '1 1' }, " STEP), 5, { "`bad`" } },
        { LESSON(ASK("mistake 'm' {\nby = ')', say = '.' }")), 5, { "mistake \"m\": `by`" } },
        { LESSON("step 's' { text = 't',\nshow = view.bars { '((' } }"), 4, { "view.bars" } },
        { LESSON("given = { a = 'b', b = 'a' }, " STEP), 3, { "computed from itself" } },
        { LESSON("step 's' { text = 't',\ngiven = { a = 'b + 1', b = 'c', c = 'a * 2' } }"), 4, { "computed from itself" } },
        { LESSON("given = { a = 'a' }, " STEP), 3, { "`a` is computed from itself" } },
        { LESSON("given = {\na = 'tensor{ 1, 2 }[3]' }, " STEP), 4, { "`a`", "outside 1 to 2" } },
        { LESSON("given = { a = 'nil' }, " STEP), 3, { "`a` came to nothing" } },
        { LESSON("ask.number 'q' { text = 't', why = 'w',\nanswer = '1e-5' }"), 4, { "rounds to 0", "`digits`" } },
        { LESSON("ask.tensor 'q' { text = 't', why = 'w',\nanswer = '1e-5 * tensor{ 1, 2 }' }"), 4, { "rounds to 0" } },
        { LESSON("ask.number 'q' { text = 't', why = 'w', places = 1,\nanswer = '0.04' }"), 4, { "rounds to 0" } },
        { LESSON("data = function(random) return { x = random:integer(1, 6) } end,\naccept = 'x > 6', " STEP), 4, { "200 draws of `data` and none was fit: `accept` refuses them all" } },
        { LESSON(STEP "step 'u' { text = 't',\ndata = function(random) return { x = 1 } end } ,\n ask.number 'q' { text = 't', why = 'w', answer = 1,\n"
                      "data = function(random) return { y = 1 } end, accept = 'y > 6' }"), 7, { "ask.number \"q\"", "200 draws" } },
        { LESSON("ask.number 'q' { text = 't', why = 'w', answer = '2/3', mistake 'a' { by = 1, say = '.' }, mistake 'b' { by = '1 + 1e-5', say = '.' } }"), 3,
          { "mistakes \"a\" (line 3)", "and \"b\" of ask.number \"q\" come to the same" } },
        { LESSON("step 's' { text = 't' },\nstep 'u' { text = 't',\nshow = 'ss' }"), 5, { "no earlier step \"ss\"", "\"s\"" } },
        { LESSON("step 's' { text = 't',\nshow = 'u' },\nstep 'u' { text = 't' }"), 4, { "no earlier step \"u\"" } },
        { LESSON("step 's' { text = 't',\nshow = 's' }"), 4, { "no earlier step" } },
        { LESSON("ask.number 'q' { text = 't', why = 'w', answer = 1, show = view.bars { 'tensor{1}' },\nhide = { 'cell' } }"), 4, { "`hide`", "`cell`", "`cells`" } },
        { LESSON("ask.number 'q' { text = 't', why = 'w', answer = 1,\nhide = { 'cells' } }"), 4, { "`hide`", "`cells`; nothing in it can be hidden" } },
        { LESSON("ask.number 'q' { text = 't', why = 'w', answer = 1, show = view.bars { 'tensor{1}' },\nhide = { 'after' } }"), 4, { "no `after`; what can be hidden: cells" } },
    };
    CHECK(faults);
}

static void files(void **state)
{
    (void)state;
    static const struct fault faults[] = {
        { "", 1, { "must return its lesson" } },
        { "return nil", 1, { "must return its lesson" } },
        { "return { format = 1 }", 1, { "must return its lesson", "table" } },
        { "\n\nreturn step 's' { text = 't' }", 3, { "step \"s\"", "not a lesson" } },
        { "\nreturn course 'try' { format = 1, title = 't', lessons = {} }", 2, { "course", "not a lesson" } },
        { "lesson 'try' { format = 1, title = 't' }", 1, { "must return its lesson" } },
        { "return lesson 'try' {\nformat = 1\ntitle = 't' }", 3, { "'}' expected", "near 'title'; a comma may be missing before it" } },
        { LESSON("data = function() if 1 != 2 then return { x = 1 } end end, " STEP), 3, { "not equal is written ~=" } },
        { LESSON("step 's' {\ntext = \"the {1} mean {x:mean(\"feature\")}\" }"), 4, { "near 'feature'", "'single quotes' in its holes" } },
        { LESSON("step 's' {\ntext = \"a {1} b\"\ntitle = 't' }"), 5, { "near 'title'; a comma may be missing before it" } },
        { LESSON("step 's' {\ntext = 'it has } and {{', -- {{{\n  data = function()\nreturn { x = 1 } end,\n" STEP "  ask.number 'q' { text = 't', answer = 1, why = 'w' },"), 10,
          { "'}' expected", "near <eof>", "a } may be missing: the brace of line 3 is still open on line 7, where a step begins" } },
        { LESSON("step 's' {\ntext = 't'\nask.number 'q' { text = 't', answer = 1, why = 'w' } }"), 5, { "a } may be missing", "line 3", "line 5" } },
        { "x = 5\nreturn lesson 'try' { }", 1, { "sets no globals", "local x" } },
        { "local y\ny = 5\nfunction helper() end", 3, { "sets no globals", "helper" } },
        { "sqrt = 5\n", 1, { "sets no globals", "sqrt" } },
        { "\ntensor = nil\n", 2, { "sets no globals", "tensor" } },
        { "\x1bLua\n", 0, { "binary" } },
        { "return lesson 'try' {", 1, { "near <eof>" } },
        { "return lesson 'try' { format = 1, title = 't',\n" STEP "}\nerror('after')", 4, { "<eof> expected" } },
        { "error('no lesson today')", 1, { "no lesson today" } },
        { "\nerror({ code = 5 })", 0, { "not a text" } },
        { "\nerror()", 0, { "not a text" } },
        { "local t = nil\nreturn t.x", 2, { "index a nil value" } },
        { "return lesson 'other' {\nformat = 1, title = 't', " STEP "}", 1, { "\"other\"", "file's name" } },
        { "return lesson 'tr' {\nformat = 1, title = 't', " STEP "}", 1, { "\"tr\"", "file's name" } },
        { "return lesson 'try' {\nformat = 2, title = 't', " STEP "}", 2, { "format 2", "newer" } },
        { "return lesson 'try' {\nformat = 2, title = 't', novelty = 3, step 's' { text = 't', marvel = 4 } }", 2, { "format 2", "newer" } },
        { "return lesson 'try' {\nformat = 0, title = 't', " STEP "}", 2, { "no lesson format 0" } },
        { "return lesson 'try' {\nformat = 1.5, title = 't', " STEP "}", 2, { "format 1.5" } },
        { "return lesson 'try' {\nformat = '1', title = 't', " STEP "}", 2, { "`format` must be a number" } },
        { "local b = use 'block'", 1, { "no shared/block.lua", "`blocks`" } },
        { "\nlocal b = use 'zzzzzzz'", 2, { "no shared/zzzzzzz.lua" } },
    };
    CHECK(faults);
}

/* An error in a module is said at the module's line. */
static void modules(void **state)
{
    (void)state;
    static const struct { const char *source, *begins, *words; } cases[] = {
        { "local b = use 'broken'", "lessons/shared/broken.lua:3: ", "unexpected symbol" },
        { "local b = use 'nothing'", "lessons/try.lua:1: ", "shared/nothing.lua returns nothing" },
        { "local b = use 'itself'", "lessons/shared/itself.lua:1: ", "uses itself" },
        { LESSON("define = (use 'raises'),\nstep 's' { text = '{f(1)}' }"), "lessons/shared/raises.lua:3: ", "no good" },
    };
    static const struct request_shared shared[] = {
        { "blocks", "return { twice = function(x) return 2 * x end }" }, { "broken", "return {\n\nx = }" }, { "nothing", "local x = 1" },
        { "raises", "local M = {}\nfunction M.f(x)\n  error('no good')\nend\nreturn M" }, { "itself", "return use 'itself'" },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        struct request request = help_request(REQUEST_FRAME, cases[i].source);
        request.shared = shared;
        request.shared_count = HELP_COUNT(shared);
        struct scene *scene = help_ask(&request);
        assert_non_null(scene->error);
        if (strncmp(scene->error, cases[i].begins, strlen(cases[i].begins)) || !strstr(scene->error, cases[i].words))
            fail_msg("%s\nabout %s", scene->error, cases[i].source);
        scene_free(scene);
    }
}

static void courses(void **state)
{
    (void)state;
    static const struct fault faults[] = {
        { "return course 'c' { title = 't', lessons = { 'a' } }", 1, { "`format`" } },
        { "return course 'c' { format = 1, lessons = { 'a' } }", 1, { "`title`" } },
        { "return course 'c' { format = 1, title = 't' }", 1, { "`lessons`" } },
        { "return course 'c' { format = 1, title = 't', lessons = {},\nautor = 'me' }", 2, { "`autor`", "`author`" } },
        { "return course 'c' { format = 1, title = 't',\nlessons = { 'a', 5 } }", 2, { "`lessons`", "entry 2" } },
        { "return course 'c' { format = 1, title = 't',\nlessons = { 'a', 'a' } }", 2, { "\"a\" is listed twice" } },
        { "return course 'c' { format = 1, title = 't',\nlessons = { '../a' } }", 2, { "\"../a\"" } },
        { "return course 'c' { format = 1, title = 't',\nlessons = { '' } }", 2, { "lesson" } },
        { "return course 'c' { title = 't', lessons = {},\nformat = 9 }", 2, { "newer" } },
        { "return lesson 'c' { }", 1, { "not a course" } },
    };
    for (size_t i = 0; i < HELP_COUNT(faults); i++) {
        struct request request = help_request(REQUEST_COURSE, faults[i].source);
        request.file = "course.lua";
        struct scene *scene = help_ask(&request);
        char place[64];
        snprintf(place, sizeof place, "course.lua:%d: ", faults[i].line);
        assert_non_null(scene->error);
        bool good = !strncmp(scene->error, place, strlen(place)) && !scene->course;
        for (size_t w = 0; w < 4 && faults[i].words[w]; w++)
            good = good && strstr(scene->error, faults[i].words[w]);
        if (!good)
            fail_msg("%s\nabout %s", scene->error, faults[i].source);
        scene_free(scene);
    }
    struct request request = help_request(REQUEST_COURSE, "return course 'c' { format = 1, title = 'T', author = 'A', lessons = { 'b', 'a' } }");
    struct scene *scene = help_ask(&request);
    assert_null(scene->error);
    assert_string_equal(scene->course->id, "c");
    assert_string_equal(scene->course->author, "A");
    assert_string_equal(scene->course->licence, "");
    assert_int_equal(scene->course->lessons.count, 2);
    assert_string_equal(scene->course->lessons.item[0], "b");
    scene_free(scene);
}

/* A lesson that is cut short anywhere is an error in words, never worse. */
static void every_prefix_of_a_lesson(void **state)
{
    (void)state;
    char *source = help_file("tests/lessons/whole.lua");
    size_t length = strlen(source);
    for (size_t cut = 0; cut + 2 < length; cut++) {
        char *part = strndup(source, cut);
        struct request request = help_request(REQUEST_FRAME, part);
        request.file = "whole.lua";
        struct scene *scene = help_ask(&request);
        if (!scene->error || strncmp(scene->error, "whole.lua:", 10))
            fail_msg("cut at %zu: %s", cut, scene->error ? scene->error : "no error");
        scene_free(scene);
        free(part);
    }
    free(source);
}

/* With two errors in it, a lesson is always told the same one. */
static void the_same_error_every_time(void **state)
{
    (void)state;
    static const char *const sources[] = {
        LESSON("alpha = 1, beta = 2, gamma = 3, delta = 4, epsilon = 5, " STEP),
        LESSON("given = { a = 'b1', b = 'b2', c = 'b3', d = 'b4' }, " STEP),
        LESSON("given = { a = '1 +', b = '2 -', c = '3 *' }, " STEP),
        LESSON("data = function() return { answer = 1, got = 2, at = 3, cursor = 4 } end, " STEP),
        LESSON("define = { a = 1, b = 2, c = 3 }, " STEP),
        LESSON("step 's' { text = 't', cursor = { a = 0, b = 0, c = 0 } }"),
        LESSON(ASK("places = 'a', digits = 'b', hints = 3, hide = 4, also = 5")),
        LESSON("data = function(random) random:normal { 2, alpha = 1, beta = 2, gamma = 3 } end, " STEP),
        LESSON("given = { x = 'nn.layer_norm(tensor{ 1, 2 }, { alpha = 1, beta = 2, gamma = 3 })' }, step 's' { text = '{x}' }"),
    };
    for (size_t i = 0; i < HELP_COUNT(sources); i++) {
        char *first = NULL;
        for (int n = 0; n < 12; n++) {
            struct request request = help_request(REQUEST_LESSON, sources[i]);
            struct scene *scene = help_ask(&request);
            assert_non_null(scene->error);
            if (!first)
                first = strdup(scene->error);
            assert_string_equal(scene->error, first);
            scene_free(scene);
        }
        free(first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_lessons_load),
        cmocka_unit_test(unknown_fields_and_kinds),
        cmocka_unit_test(unknown_facts),
        cmocka_unit_test(wrong_sorts),
        cmocka_unit_test(what_must_be_there),
        cmocka_unit_test(ids),
        cmocka_unit_test(facts_with_one_name),
        cmocka_unit_test(parts_where_they_may_not_stand),
        cmocka_unit_test(knobs),
        cmocka_unit_test(formulas_words_and_holes),
        cmocka_unit_test(files),
        cmocka_unit_test(modules),
        cmocka_unit_test(courses),
        cmocka_unit_test(every_prefix_of_a_lesson),
        cmocka_unit_test(the_same_error_every_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
