/* Programs of learners: probed on fresh inputs, told which mistake they are, and stopped on their line. */
#include "engine_help.h"

#include <time.h>

#define SOLUTION \
    "function layer_norm(x, scale, bias, eps)\n" \
    "  local over = { \"feature\" }\n" \
    "  local mean = x:mean(over)\n" \
    "  local var = x:var(over)\n" \
    "  return (x - mean) / sqrt(var + eps) * scale + bias\n" \
    "end\n"
#define HEAD "function layer_norm(x, scale, bias, eps)\n"

static const char LESSON_TEXT[] = LESSON(
    "ask.code 'mend' { text = '?', why = 'The solution is {#answer} letters long.',\n"
    "  data = function(random) return { bug = random:pick { 'batch', 'token', 'all' } } end,\n"
    "  solution = [[\n" SOLUTION "]],\n"
    "  broken = 'bug',\n"
    "  probes = { 'companion', 'future', 'past', 'one_feature', 'alone', 'value' },\n"
    "  mistake 'batch' { by = replace { '\"feature\"', '\"batch\"' }, say = 'batch, not {bug}?' },\n"
    "  mistake 'token' { by = replace { '\"feature\"', '\"token\"' }, say = 'token' },\n"
    "  mistake 'all' { by = replace { '\"feature\"', '\"batch\", \"token\", \"feature\"' }, say = 'all' },\n"
    "  mistake 'bare' { by = [[\n" HEAD "  return x - x:mean('feature')\nend\n]], say = 'bare' },\n"
    "  hints = { 'One {bug}.' },\n"
    "},\n");

static struct request ask_with(const char *code)
{
    struct request request = help_frame(LESSON_TEXT, "mend");
    request.answer = code;
    request.run = 77;
    return request;
}

static const char *replaced(const char *to)
{
    static char text[1000];
    const char *at = strstr(SOLUTION, "\"feature\"");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - SOLUTION), SOLUTION, to, at + strlen("\"feature\""));
    return text;
}

struct judged {
    const char *code;
    enum verdict verdict;
    const char *mistake, *say;
    uint32_t line;
};

static void check(const struct judged *judged, uint64_t run)
{
    struct request request = ask_with(judged->code);
    request.run = run;
    struct scene *scene = help_step(&request);
    const struct scene_question *q = scene->step->question;
    if (q->verdict != judged->verdict || strcmp(q->mistake, judged->mistake) || !strstr(q->say, judged->say) || q->code->error_line != judged->line)
        fail_msg("%s\nverdict %d, mistake \"%s\", line %u, say \"%s\"", judged->code, q->verdict, q->mistake, q->code->error_line, q->say);
    assert_string_equal(q->code->text, judged->code);
    assert_int_equal(q->final, judged->verdict == VERDICT_RIGHT);
    scene_free(scene);
}

static void begins_with_the_bug_that_was_drawn(void **state)
{
    (void)state;
    bool seen[3] = { false };
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct request request = help_frame(LESSON_TEXT, "mend");
        request.seed = seed;
        struct scene *scene = help_step(&request);
        const struct scene_question *q = scene->step->question;
        static const char *const bugs[] = { "{ \"batch\" }", "{ \"token\" }", "{ \"batch\", \"token\", \"feature\" }" };
        int bug = -1;
        for (int i = 0; i < 3; i++)
            if (strstr(q->code->start, bugs[i]))
                bug = i;
        assert_true(bug >= 0);
        seen[bug] = true;
        assert_int_equal(scene->step->kind, STEP_CODE);
        assert_string_equal(q->code->name, "layer_norm.lua");
        assert_string_equal(q->code->text, q->code->start);
        assert_int_equal(q->verdict, VERDICT_NONE);
        assert_string_equal(q->answer, "");
        const struct view *view = scene->step->view; /* none is in the lesson */
        assert_int_equal(view->child_count, 2);
        assert_string_equal(view->children[0].name, "probes");
        assert_string_equal(view->children[1].name, "leak");
        scene_free(scene);
    }
    assert_true(seen[0] && seen[1] && seen[2]);
}

static void right_for_every_run(void **state)
{
    (void)state;
    const struct judged right[] = {
        { SOLUTION, VERDICT_RIGHT, "", "", 0 },
        /* one's own way is as good */
        { HEAD "  local n = x.shape[3]\n  local centred = x - x:sum('feature') / n\n"
               "  return centred * (1 / sqrt((centred * centred):sum('feature') / n + eps)) * scale + bias\nend\n",
          VERDICT_RIGHT, "", "", 0 },
        { "local function root(v) return v ^ 0.5 end\nfunction helper(x) return x:mean(-1) end\n" HEAD
          "  return (x - helper(x)) / root(x:var(-1) + eps) * scale + bias\nend\n",
          VERDICT_RIGHT, "", "", 0 },
    };
    for (uint64_t run = 0; run < 100; run++)
        for (size_t i = 0; i < HELP_COUNT(right); i++)
            check(&right[i], run);
}

static void each_mistake_by_its_own_words(void **state)
{
    (void)state;
    for (uint64_t run = 0; run < 60; run++) {
        check(&(struct judged){ replaced("\"batch\""), VERDICT_WRONG, "batch", "batch, not ", 0 }, run);
        check(&(struct judged){ replaced("\"token\""), VERDICT_WRONG, "token", "token", 0 }, run);
        check(&(struct judged){ replaced("\"token\", \"feature\", \"batch\""), VERDICT_WRONG, "all", "all", 0 }, run);
        check(&(struct judged){ HEAD "  local m = x:mean(-1)\n  return x - m\nend\n", VERDICT_WRONG, "bare", "bare", 0 }, run);
        /* nobody foresaw this one: the first probe that fails speaks */
        check(&(struct judged){ replaced("\"token\", \"feature\""), VERDICT_WRONG, "", "later token", 0 }, run);
        check(&(struct judged){ HEAD "  return x\nend\n", VERDICT_WRONG, "", "", 0 }, run);
    }
}

/* A program that is right for the inputs it has seen; `otherwise` says what it does with others. */
static const char *by_heart(const char *seen, const char *otherwise)
{
    static char text[8000];
    snprintf(text, sizeof text,
             "local known = { %s }\n" HEAD "  local sum = string.format('<%%.9g>', x:sum())\n"
             "  if not known[sum] then %s end\n  return (x - x:mean(-1)) / sqrt(x:var(-1) + eps) * scale + bias\nend\n", seen, otherwise);
    return text;
}

/* Errors show a learner the inputs of one run, one by one. What is right for all of them is right for that run alone. */
static void right_numbers_for_fixed_inputs_fail(void **state)
{
    (void)state;
    enum { RUN = 9, CALLS_MAX = 60 };
    char seen[4000] = "";
    struct request request = ask_with(NULL);
    request.run = RUN;
    enum verdict verdict = VERDICT_UNREAD;
    for (int call = 0; verdict == VERDICT_UNREAD && call < CALLS_MAX; call++) {
        request.answer = by_heart(seen, "error(sum)");
        struct scene *scene = help_step(&request);
        verdict = scene->step->question->verdict;
        const char *sum = strstr(scene->step->question->say, "\\<");
        if (verdict == VERDICT_UNREAD) {
            assert_non_null(sum);
            size_t length = strlen(seen);
            snprintf(seen + length, sizeof seen - length, "['<%.*s>'] = true, ", (int)strcspn(sum + 2, ">"), sum + 2);
        }
        scene_free(scene);
    }
    assert_int_equal(verdict, VERDICT_RIGHT);
    for (uint64_t run = 0; run < 20; run++)
        check(&(struct judged){ by_heart(seen, "return x"), run == RUN ? VERDICT_RIGHT : VERDICT_WRONG, "", "", 0 }, run);
}

/* The same request twice gives the same bytes; another run other inputs. */
static void inputs_are_fresh_for_every_run(void **state)
{
    (void)state;
    struct request request = ask_with(replaced("\"batch\""));
    struct strbuf first = help_ask_bytes(&request), again = help_ask_bytes(&request);
    help_same(&first, &again);
    request.run++;
    struct strbuf other = help_ask_bytes(&request);
    assert_false(other.length == first.length && !memcmp(other.text, first.text, first.length));
    strbuf_free(&first);
    strbuf_free(&again);
    strbuf_free(&other);
}

static void what_cannot_run_never_counts(void **state)
{
    (void)state;
    static const struct judged unread[] = {
        { HEAD "  while true do end\nend\n", VERDICT_UNREAD, "", "layer_norm.lua:2: this takes too long and was stopped", 2 },
        { "while true do end\n", VERDICT_UNREAD, "", "layer_norm.lua:1: this takes too long", 1 },
        { HEAD "  local t = {}\n  for i = 1, 1e9 do t[i] = { i } end\nend\n", VERDICT_UNREAD, "", "layer_norm.lua:3: this needs more memory", 3 },
        { HEAD "  local s = 'x'\n  while true do s = s .. s end\nend\n", VERDICT_UNREAD, "", "layer_norm.lua:3: this needs more memory", 3 },
        { HEAD "  return tensor.zeros { 1e9 }\nend\n", VERDICT_UNREAD, "", "layer_norm.lua:2: this needs more memory", 2 },
        { HEAD "  local t = tensor.zeros { 1000, 1000 }\n  while true do t = t + 1 end\nend\n", VERDICT_UNREAD, "", "layer_norm.lua:3: this takes too long", 3 },
        { HEAD "  return 1 + layer_norm(x)\nend\n", VERDICT_UNREAD, "", "layer_norm.lua:2: ", 2 },
        { HEAD "  return (x -\nend\n", VERDICT_UNREAD, "", "layer_norm.lua:3: ", 3 },
        { HEAD "  return x:mean('feature')", VERDICT_UNREAD, "", "layer_norm.lua:2: 'end' expected", 2 },
        { HEAD "  return nn.layer_norm(x)\nend\n", VERDICT_UNREAD, "", "layer_norm.lua:2: `nn` is not at hand", 2 },
        { HEAD "  return bug\nend\n", VERDICT_UNREAD, "", "layer_norm.lua:2: unknown name `bug`", 2 },
        { HEAD "  return module(x)\nend\n", VERDICT_UNREAD, "", "unknown name `module`", 2 },
        { HEAD "  use 'norms'\nend\n", VERDICT_UNREAD, "", "unknown name `use`", 2 },
        { HEAD "  io.write('x')\nend\n", VERDICT_UNREAD, "", "unknown name `io`", 2 },
        { HEAD "  pcall(error)\nend\n", VERDICT_UNREAD, "", "unknown name `pcall`", 2 },
        { HEAD "  return x:mean('featur')\nend\n", VERDICT_UNREAD, "", "layer_norm.lua:2: no axis \"featur\"", 2 },
        { HEAD "  error({})\nend\n", VERDICT_UNREAD, "", "layer_norm.lua:2: an error that is not a text", 2 },
        { HEAD "  error()\nend\n", VERDICT_UNREAD, "", "layer_norm.lua:2: an error that is not a text", 2 },
        { HEAD "end\n", VERDICT_UNREAD, "", "layer_norm.lua:1: `layer_norm` returns nothing", 1 },
        { HEAD "  return 'x'\nend\n", VERDICT_UNREAD, "", "layer_norm.lua:1: `layer_norm` returns a string", 1 },
        { "function layernorm(x) return x end\n", VERDICT_UNREAD, "", "there is no function `layer_norm`", 0 },
        { "layer_norm = 7\n", VERDICT_UNREAD, "", "there is no function `layer_norm`", 0 },
        { "", VERDICT_UNREAD, "", "there is no function `layer_norm`", 0 },
        { "\x1bLua", VERDICT_UNREAD, "", "attempt to load a binary chunk", 0 },
        { "error('words with \x1b[31m colour')\n", VERDICT_UNREAD, "", "layer_norm.lua:1: words with", 1 },
    };
    for (size_t i = 0; i < HELP_COUNT(unread); i++)
        check(&unread[i], 3);
}

/* A thousand programs that each fill their memory are not kept. */
static void programs_are_let_go(void **state)
{
    (void)state;
    struct engine *engine = help_engine();
    for (uint64_t run = 1; run <= 200; run++) {
        struct request request = ask_with("local kept = tensor.zeros { 1000, 4000 }\n" SOLUTION);
        request.run = run;
        struct scene *scene = engine_answer(engine, &request);
        if (scene->error || scene->step->question->verdict != VERDICT_RIGHT)
            fail_msg("%s", scene->error ? scene->error : scene->step->question->say);
        scene_free(scene);
    }
    engine_free(engine);
}

static void an_endless_loop_leaves_time_for_the_rest(void **state)
{
    (void)state;
    struct request request = ask_with(HEAD "  while true do end\nend\n");
    struct timespec from, to;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    struct scene *scene = help_step(&request);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    assert_non_null(scene->step->view);
    assert_true(scene->step->view->alt[0]);
    scene_free(scene);
    double took = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    assert_true(took < 1.6); /* of the two seconds that a request has, at 80 % of which the lesson itself is stopped */
}

static void given_up(void **state)
{
    (void)state;
    struct request request = ask_with(HEAD "  return x\nend\n");
    request.give_up = true;
    request.hints = 1;
    struct scene *scene = help_step(&request);
    const struct scene_question *q = scene->step->question;
    assert_string_equal(q->answer, SOLUTION);
    assert_string_equal(q->code->text, SOLUTION);
    assert_true(q->final);
    assert_non_null(strstr(q->why, "letters long"));
    assert_int_equal(q->hints.count, 1);
    scene_free(scene);
}

static void lessons_whose_programs_are_wrong(void **state)
{
    (void)state;
#define CODE_OF(fields) "ask.code 'a' { text = '?', why = '.',\nsolution = [[\n" SOLUTION "]],\n" fields "}"
    static const struct {
        const char *parts, *error;
    } bad[] = {
        { "ask.code 'a' { text = '?', why = '.', broken = 'm', probes = { 'value' } }", "ask.code \"a\" needs the field `solution`" },
        { CODE_OF("broken = 'm'"), "ask.code \"a\" needs the field `probes`" },
        { CODE_OF("probes = { 'value' }"), "ask.code \"a\" needs one of `broken` and `start`" },
        { CODE_OF("probes = { 'value' }, broken = 'm', start = 'x'"), "needs one of `broken` and `start`" },
        { CODE_OF("probes = { 'companions' }, start = 'x'"), "there is no probe \"companions\"; did you mean \"companion\"?" },
        { CODE_OF("probes = {}, start = 'x'"), "`probes` must be a list of names of probes" },
        { CODE_OF("probes = 'value', start = 'x'"), "`probes` must be a list of names of probes" },
        { CODE_OF("probes = { 'value' }, start = 'x = 1'"), "lessons/try.lua:12: ask.code \"a\": its program does not run: there is no function `layer_norm`" },
        { CODE_OF("probes = { 'value' }, broken = 'none', mistake 'm' { by = 'x', say = '.' }"), "unknown name `none`" },
        { CODE_OF("probes = { 'value' }, broken = '\"none\"', mistake 'm' { by = 'x', say = '.' }"), "`broken` must come to the id of one of its mistakes" },
        { CODE_OF("probes = { 'value' }, broken = 'm',\nmistake 'm' { by = replace { 'features', 'token' }, say = '.' }"),
          "lessons/try.lua:13: replace: there is no features in the solution" },
        { CODE_OF("probes = { 'value' }, broken = 'm',\nmistake 'm' { by = replace { 'feature' }, say = '.' }"), "lessons/try.lua:13: replace needs two texts" },
        { CODE_OF("probes = { 'value' }, broken = 'm',\nmistake 'm' { by = 7, say = '.' }"), "`by` must be a text, a program" },
        { CODE_OF("probes = { 'value' }, broken = 'm',\nmistake 'm' { by = replace { 'mean', 'mean' }, say = '.' }"),
          "lessons/try.lua:13: mistake \"m\": its program passes every probe" },
        { CODE_OF("probes = { 'value' }, broken = 'm', predict = true, mistake 'm' { by = 'x', say = '.' }"), "cannot be a prediction" },
        { CODE_OF("probes = { 'value' }, reference = '7', start = 'x'"), "`reference` must come to a function" },
        { "ask.code 'a' { text = '?', why = '.', solution = 'x = 1', probes = { 'value' }, start = 'x' }", "defines one global function; this one defines 0" },
        { "ask.code 'a' { text = '?', why = '.', solution = 'function f(x) return x - x:mean(\"batch\") end', probes = { 'companion' }, start = 'x' }",
          "the solution fails the probe `companion`" },
        { CODE_OF("probes = { 'value' }, reference = function(d) return function(x) return x end end, start = 'x'"), "the solution fails the probe `value`" },
        { "ask.number 'a' { text = '?', why = '.', answer = '1', mistake 'm' { by = replace { 'a', 'b' }, say = '.' } }", "`by` must be a formula" },
    };
    for (size_t i = 0; i < HELP_COUNT(bad); i++) {
        char source[2000];
        snprintf(source, sizeof source, "return lesson \"try\" {\nformat = 1, title = \"t\",\n%s\n}\n", bad[i].parts);
        struct request request = help_request(REQUEST_LESSON, source);
        struct scene *scene = help_ask(&request);
        if (!scene->error || !strstr(scene->error, bad[i].error))
            fail_msg("%s:\n%s", bad[i].parts, scene->error ? scene->error : "no error");
        scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_with_the_bug_that_was_drawn),
        cmocka_unit_test(right_for_every_run),
        cmocka_unit_test(each_mistake_by_its_own_words),
        cmocka_unit_test(right_numbers_for_fixed_inputs_fail),
        cmocka_unit_test(inputs_are_fresh_for_every_run),
        cmocka_unit_test(what_cannot_run_never_counts),
        cmocka_unit_test(programs_are_let_go),
        cmocka_unit_test(an_endless_loop_leaves_time_for_the_rest),
        cmocka_unit_test(given_up),
        cmocka_unit_test(lessons_whose_programs_are_wrong),
    };
    return cmocka_run_group_tests_name("code", tests, NULL, NULL);
}
