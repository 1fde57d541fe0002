/* The scratchpad: what is computed with a step's facts, what is not at hand, and what a learner's code leaves behind. */
#include "engine_help.h"

static const char LESSON_TEXT[] = LESSON(
    "data = function(random) return { x = tensor { 1, 7, 9, 15 }, n = 4, secret = 42, word = 'batch', flag = true, list = { 1, 2 } } end,\n"
    "given = { mean = 'x:mean()', twice = '(\"ab\"):rep(2)' },\n"
    "define = { half = function(v) return v / 2 end, fail = function() error('from the lesson') end },\n"
    "step 'look' { text = '?', knobs = { knob.linear 'turned' { 0, 10, at = 3 } } },\n"
    "ask.number 'mean' { text = 'What is the mean of {x}? Not {n * 2}, {twice}.', answer = 'mean', allow = { 'list' }, why = '.' },\n"
    "ask.tensor 'hidden' { text = '{mean} {secret}', answer = 'x', why = '.' },\n"
    "ask.number 'shown' { text = '?', show = view.table { { 'x[1]', 'mean' } }, answer = 'secret', why = '.' },\n"
    "ask.number 'covered' { text = '{n}', show = view.pipeline { 'x' }, hide = { 'var' }, answer = 'secret', why = '.' },\n"
    "ask.choice 'which' { text = '{x}', option 'a' { 'a', right = 'word == \"batch\"', say = '.' }, option 'b' { 'b', right = 'false', say = '.' }, why = '.' },\n");

static struct request ask_with(const char *step, const char *text)
{
    struct request request = help_frame(LESSON_TEXT, step);
    request.scratch = text;
    return request;
}

static void check_in(const char *step, const char *text, const char *output, const char *error)
{
    struct request request = ask_with(step, text);
    struct scene *scene = help_step(&request);
    const struct scene_scratch *s = scene->scratch;
    assert_non_null(s);
    if (strcmp(s->output, output) != 0 || (*error ? !strstr(s->error, error) : *s->error != '\0'))
        fail_msg("%s: %s\noutput \"%s\"\nerror \"%s\"", step, text, s->output, s->error);
    scene_free(scene);
}

static void results_are_printed_as_eval_prints_them(void **state)
{
    (void)state;
    check_in("look", "x:mean()", "8\n", "");
    check_in("look", "x, n", "[1, 7, 9, 15]\t4\n", "");
    check_in("look", "2/3 -- thirds", "0.6667\n", "");
    check_in("look", "half(mean) + turned", "7\n", "");
    check_in("look", "word, flag, secret", "batch\ttrue\t42\n", "");
    check_in("look", "print(1) print('a') return n", "1\na\n4\n", "");
    check_in("look", "local a = 2; b = a * 2; print(b)", "4\n", "");
    check_in("look", "(nn.layer_norm(tensor { 1, 2, 3 }))", "[-1.225, 0.000, 1.225]\n", "");
    check_in("look", "nil", "nil\n", "");
    check_in("look", "  ", "", "");
}

static void errors_are_one_line_without_a_place(void **state)
{
    (void)state;
    check_in("look", "sqrt(", "", "unexpected symbol");
    check_in("look", "2**3", "", "a power is written ^ here");
    check_in("look", "means", "", "unknown name `means`; did you mean `mean`?");
    check_in("look", "x:men()", "", "did you mean `mean`?");
    check_in("look", "error('a\\nb\\tc')", "", "a b c");
    check_in("look", "error({})", "", "an error that is not a text");
    check_in("look", "print(1) error('x', 0)", "1\n", "x");
    check_in("look", "fail()", "", "lessons/try.lua:5: from the lesson");
    check_in("look", "x[9]", "", "index 9 is outside 1 to 4 of axis feature");
    struct request request = ask_with("look", "error(('x'):rep(10000))");
    struct scene *scene = help_step(&request);
    assert_true(strlen(scene->scratch->error) < 400);
    scene_free(scene);
}

static void nothing_is_written_to_the_facts(void **state)
{
    (void)state;
    check_in("look", "x:set({ 1 }, 5)", "", "is a fact of the lesson and cannot be changed");
    check_in("look", "x[1] = 5", "", "not assigned");
    check_in("look", "x = 5; print(x)", "5\n", ""); /* a name of one's own */
}

static void an_open_question_hides_what_it_does_not_speak_of(void **state)
{
    (void)state;
    check_in("mean", "x:mean()", "8\n", "");
    check_in("mean", "n + list[1]", "5\n", "");
    check_in("mean", "half(3)", "1.5\n", "");
    check_in("mean", "mean", "", "`mean` is not at hand while the question is open");
    check_in("mean", "secret", "", "`secret` is not at hand");
    check_in("mean", "word", "", "`word` is a word");
    check_in("mean", "flag", "", "`flag` is a word");
    check_in("mean", "twice", "", "`twice` is a word"); /* though it is spoken of */
    check_in("mean", "answer", "", "unknown name `answer`");
    check_in("mean", "_ENV.mean", "", "not at hand");
    check_in("mean", "_ENV['secret']", "", "not at hand");
    check_in("hidden", "mean", "8\n", "");
    check_in("hidden", "secret", "42\n", "");
    check_in("hidden", "x", "", "`x` is not at hand");
    check_in("shown", "x:mean(), mean", "8\t8\n", "");
    check_in("shown", "secret", "", "not at hand");
    check_in("covered", "n", "4\n", "");
    check_in("covered", "x", "", "not at hand");
    check_in("which", "word", "", "is a word");
    check_in("which", "x", "[1, 7, 9, 15]\n", "");
}

static void the_answer_is_not_at_hand_even_where_it_is_spoken_of(void **state)
{
    (void)state;
    static const char text[] = LESSON("data = function() return { y = tensor { 2, 3 } } end,\n"
                                      "ask.tensor 'same' { text = 'The shape is {y.shape}.', answer = 'y', why = '.' },\n");
    struct request request = help_frame(text, "same");
    request.scratch = "y";
    struct scene *scene = help_step(&request);
    assert_non_null(strstr(scene->scratch->error, "`y` is what the question asks for"));
    scene_free(scene);
    request.answer = "2 3";
    scene = help_step(&request);
    assert_true(scene->step->question->final);
    assert_string_equal(scene->scratch->output, "[2, 3]\n");
    scene_free(scene);
    request.answer = NULL;
    request.give_up = true;
    scene = help_step(&request);
    assert_string_equal(scene->scratch->output, "[2, 3]\n");
    scene_free(scene);
}

static void of_lessons_only_the_facts_are_at_hand(void **state)
{
    (void)state;
    static const char *const names[] = {"lesson", "step", "ask", "knob", "view", "use", "file", "io", "os", "load", "require", "debug", "cursor.x.y",
                                        "collectgarbage", "dofile", "rawset", "next"};
    for (size_t i = 0; i < HELP_COUNT(names); i++) {
        struct request request = ask_with("mean", names[i]);
        struct scene *scene = help_step(&request);
        if (!*scene->scratch->error)
            fail_msg("%s is at hand: %s", names[i], scene->scratch->output);
        scene_free(scene);
    }
}

static void a_result_can_be_typed_as_an_answer(void **state)
{
    (void)state;
    static const struct {
        const char *text, *value;
    } results[] = {{"1/3", "0.333333333"}, {"x / 3", "[0.333333343, 2.33333325, 3, 5]"}, {"tensor { { 1, 2 }, { 3, 4 } }", "[[1, 2], [3, 4]]"},
                   {"{ 1, 2 }", "[1, 2]"}, {"'text'", ""}, {"nil", ""}, {"tensor.zeros { 100 }", ""}, {"1/0", "inf"}, {"1, 2", "2"},
                   {"print(1)", ""}, {"x.shape", "[4]"}, {"error('x')", ""}, {"tensor.zeros { 2, 2, 2 }", ""}, {"{}", ""}};
    for (size_t i = 0; i < HELP_COUNT(results); i++) {
        struct request request = ask_with("look", results[i].text);
        struct scene *scene = help_step(&request);
        if (strcmp(scene->scratch->value, results[i].value) != 0)
            fail_msg("%s came to \"%s\", not \"%s\"", results[i].text, scene->scratch->value, results[i].value);
        scene_free(scene);
    }
}

/* ---- attacks ---- */

static void what_does_not_end_is_stopped_and_leaves_the_frame(void **state)
{
    (void)state;
    static const char *const attacks[] = {"while true do end", "while true do pcall(function() while true do end end) end",
                                          "repeat local t = tensor.zeros { 100, 100 } until false"};
    for (size_t i = 0; i < HELP_COUNT(attacks); i++)
        check_in("mean", attacks[i], "", "this takes too long and was stopped");
}

static void what_wants_too_much_is_refused_and_leaves_the_frame(void **state)
{
    (void)state;
    static const char *const attacks[] = {"local t = {} for i = 1, 1e9 do t[i] = {} end", "tensor.zeros { 20000, 20000 }",
                                          "local s = 'x' while true do s = s .. s end", "local t = {} while true do t[#t + 1] = tensor.zeros { 1000, 1000 } end"};
    for (size_t i = 0; i < HELP_COUNT(attacks); i++) {
        struct request request = ask_with("mean", attacks[i]);
        struct scene *scene = help_step(&request);
        assert_non_null(scene->step->question);
        if (!strstr(scene->scratch->error, "memory") && !strstr(scene->scratch->error, "too large"))
            fail_msg("%s: \"%s\"", attacks[i], scene->scratch->error);
        scene_free(scene);
    }
    struct request request = ask_with("mean", "for i = 1, 1e6 do print(i) end");
    struct scene *scene = help_step(&request);
    assert_non_null(strstr(scene->scratch->error, "16 KiB were printed"));
    assert_true(strlen(scene->scratch->output) <= 16 << 10);
    scene_free(scene);
}

/* The same request before and after: whatever was typed, the lesson is as it was. */
static void what_was_typed_changes_nothing(void **state)
{
    (void)state;
    static const char *const attacks[] = {"list[1] = 9", "getmetatable('').__index = nil", "string.rep = nil", "tensor.zeros = function() return 7 end",
                                          "setmetatable(list, { __index = error })", "nn.layer_norm = nil", "math.pi = 3", "half = nil",
                                          "setmetatable(_ENV, nil)", "while true do end", "local t = {} for i = 1, 1e9 do t[i] = {} end"};
    struct engine *engine = help_engine();
    struct request plain = help_frame(LESSON_TEXT, "mean");
    plain.answer = "8";
    struct scene *scene = engine_answer(engine, &plain);
    struct strbuf before = help_bytes(scene);
    scene_free(scene);
    for (size_t i = 0; i < HELP_COUNT(attacks); i++) {
        struct request request = ask_with(i % 2 ? "look" : "mean", attacks[i]);
        scene = engine_answer(engine, &request);
        if (scene->error)
            fail_msg("%s: %s", attacks[i], scene->error);
        scene_free(scene);
        scene = engine_answer(engine, &plain);
        struct strbuf after = help_bytes(scene);
        scene_free(scene);
        help_same(&before, &after);
        strbuf_free(&after);
    }
    strbuf_free(&before);
    engine_free(engine);
}

static bool has_name(const struct strings *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->item[i], name) == 0)
            return true;
    return false;
}

static void names_are_told(void **state)
{
    (void)state;
    struct request request = ask_with("mean", "");
    struct scene *scene = help_step(&request);
    const struct scene_scratch *s = scene->scratch;
    static const char *const there[] = {"x", "n", "half", "list", "sqrt", "tensor", "tensor.zeros", "nn.layer_norm", ":mean", ".shape", "math.pi", "print"};
    static const char *const hidden[] = {"mean", "secret", "word", "lesson", "use", "answer"};
    for (size_t i = 0; i < HELP_COUNT(there); i++)
        if (!has_name(&s->names, there[i]))
            fail_msg("%s is not named", there[i]);
    for (size_t i = 0; i < HELP_COUNT(hidden); i++)
        if (has_name(&s->names, hidden[i]))
            fail_msg("%s is named", hidden[i]);
    assert_int_equal(s->facts.count, 5); /* fail, half, list, n, x */
    assert_string_equal(s->facts.item[1], "half");
    assert_string_equal(s->output, "");
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_printed_as_eval_prints_them),
        cmocka_unit_test(errors_are_one_line_without_a_place),
        cmocka_unit_test(nothing_is_written_to_the_facts),
        cmocka_unit_test(an_open_question_hides_what_it_does_not_speak_of),
        cmocka_unit_test(the_answer_is_not_at_hand_even_where_it_is_spoken_of),
        cmocka_unit_test(of_lessons_only_the_facts_are_at_hand),
        cmocka_unit_test(a_result_can_be_typed_as_an_answer),
        cmocka_unit_test(what_does_not_end_is_stopped_and_leaves_the_frame),
        cmocka_unit_test(what_wants_too_much_is_refused_and_leaves_the_frame),
        cmocka_unit_test(what_was_typed_changes_nothing),
        cmocka_unit_test(names_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
