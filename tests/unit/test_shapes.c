/* Shapes as a learner types them, and the verdict on each. */
#include "engine_help.h"

static const char LESSON_TEXT[] = LESSON(
    "given = { x = 'tensor.zeros{ 2, 3, 4 }', k = 3 },\n"
    "ask.shape 'mean' { text = '?', why = 'It is {answer}.', answer = { 2, 3, 1 }, also = { { 2, 3, 9 } },\n"
    "  mistake 'lost' { by = { 2, 3 }, say = 'kept, for {k}' },\n"
    "  mistake 'whole' { by = 'x.shape', say = 'whole: {got[3]} at {at}' },\n"
    "  mistake 'never' { by = { 7 }, say = 'never', when = 'k > 3' },\n"
    "  mistake 'refused' { by = 'error', say = 'no error' } },\n"
    "ask.shape 'refused' { text = '?', why = '{answer}.', answer = 'tensor.broadcast(x, tensor.zeros{ 2, 3, 3 })',\n"
    "  mistake 'first' { by = 'x.shape', say = 'first' } },\n"
    "ask.shape 'word' { text = '?', why = '.', answer = 'error' },\n"
    "ask.shape 'one' { text = '?', why = '.', answer = { 5 } },\n");

struct typed {
    const char *step, *answer;
    enum verdict verdict;
    const char *mistake, *say, *said;
};

static const struct typed TYPED[] = {
    { "mean", "(2, 3, 1)", VERDICT_RIGHT, "", "", "(2, 3, 1)" },
    { "mean", "2x3x1", VERDICT_RIGHT, "", "", "(2, 3, 1)" },
    { "mean", "2X3X1", VERDICT_RIGHT, "", "", "" },
    { "mean", "2×3×1", VERDICT_RIGHT, "", "", "" },
    { "mean", "2 * 3 * 1", VERDICT_RIGHT, "", "", "" },
    { "mean", "[2, 3, 1]", VERDICT_RIGHT, "", "", "" },
    { "mean", "{2,3,1}", VERDICT_RIGHT, "", "", "" },
    { "mean", "  2 3 1\t", VERDICT_RIGHT, "", "", "" },
    { "mean", "(2, 3, 1,)", VERDICT_RIGHT, "", "", "" },
    { "mean", "(2, 3, 9)", VERDICT_RIGHT, "", "", "" },
    { "mean", "2\xc2\xa0" "3\xc2\xa0" "1", VERDICT_RIGHT, "", "", "" },
    { "mean", "(\xef\xbc\x92\xef\xbc\x8c\xef\xbc\x93\xef\xbc\x8c\xef\xbc\x91)", VERDICT_RIGHT, "", "", "" },
    { "mean", "2 by 3 by 1", VERDICT_RIGHT, "", "", "" },
    { "mean", "2\xc2\xb7" "3\xc2\xb7" "1", VERDICT_RIGHT, "", "", "" },
    { "mean", "2 x 3 x 1\r\n", VERDICT_RIGHT, "", "", "" },
    { "mean", "[2,\n 3,\n 1]", VERDICT_RIGHT, "", "", "" },
    { "mean", "(1, 2, 3)", VERDICT_WRONG, "", "Nearly: the right sizes in another order.", "(1, 2, 3)" },
    { "mean", "(3, 2, 1)", VERDICT_WRONG, "", "another order", "" },
    { "mean", "(3, 3, 1)", VERDICT_WRONG, "", "The first size is not 3.", "" },
    { "mean", "(\xc2\xbd, 3)", VERDICT_UNREAD, "", "has no meaning here", "" },
    { "mean", "(2, 3)", VERDICT_WRONG, "lost", "kept, for 3", "(2, 3)" },
    { "mean", "2x3x4", VERDICT_WRONG, "whole", "whole: 4 at 3", "" },
    { "mean", "error", VERDICT_WRONG, "refused", "no error", "error" },
    { "mean", "ERROR", VERDICT_WRONG, "refused", "", "" },
    { "mean", "7", VERDICT_WRONG, "", "Your shape has 1 size; 3 are asked for.", "(7,)" },
    { "mean", "(2, 4, 1)", VERDICT_WRONG, "", "The second size is not 4.", "" },
    { "mean", "()", VERDICT_WRONG, "", "Your shape has 0 sizes; 3 are asked for.", "()" },
    { "mean", "0 0 0", VERDICT_WRONG, "", "The first size is not 0.", "" },
    { "mean", "", VERDICT_UNREAD, "", "Nothing was typed", "" },
    { "mean", "(2, 3, 1", VERDICT_UNREAD, "", "The bracket ( is not closed.", "" },
    { "mean", "(2, 3, 1]", VERDICT_UNREAD, "", "The bracket ( is not closed.", "" },
    { "mean", "(2.0, 3, 1)", VERDICT_UNREAD, "", "whole numbers", "" },
    { "mean", "-2, 3, 1", VERDICT_UNREAD, "", "whole numbers", "" },
    { "mean", "two by three", VERDICT_UNREAD, "", "whole numbers", "" },
    { "mean", "2;3;1", VERDICT_UNREAD, "", "whole numbers", "" },
    { "mean", "1 2 3 4 5 6 7 8 9", VERDICT_UNREAD, "", "8 sizes at the most", "" },
    { "mean", "99999999999999999999999", VERDICT_UNREAD, "", "whole numbers", "" },
    { "refused", "error", VERDICT_RIGHT, "", "", "" },
    { "refused", "(2, 3, 4)", VERDICT_WRONG, "first", "first", "" },
    { "refused", "(2, 3, 3)", VERDICT_WRONG, "", "(2, 3, 3) is not what comes of it.", "" },
    { "word", "an error", VERDICT_RIGHT, "", "", "" },
    { "one", "5", VERDICT_RIGHT, "", "", "" },
    { "one", "(5,)", VERDICT_RIGHT, "", "", "(5,)" },
    { "one", "error", VERDICT_WRONG, "", "It is no error", "" },
};

static void shapes_as_typed(void **state)
{
    (void)state;
    struct engine *engine = help_engine();
    for (size_t i = 0; i < HELP_COUNT(TYPED); i++) {
        const struct typed *typed = &TYPED[i];
        struct request request = help_frame(LESSON_TEXT, typed->step);
        request.answer = typed->answer;
        struct scene *scene = engine_answer(engine, &request);
        if (scene->error)
            fail_msg("%s: %s", typed->answer, scene->error);
        const struct scene_question *q = scene->step->question;
        assert_int_equal(scene->step->kind, STEP_SHAPE);
        if (q->verdict != typed->verdict || strcmp(q->mistake, typed->mistake) || !strstr(q->say, typed->say) || !strstr(q->said, typed->said))
            fail_msg("%s \"%s\": verdict %d, mistake \"%s\", say \"%s\", said \"%s\"", typed->step, typed->answer, q->verdict, q->mistake, q->say, q->said);
        assert_int_equal(q->final, typed->verdict == VERDICT_RIGHT);
        scene_free(scene);
    }
    engine_free(engine);
}

static void answer_and_echo(void **state)
{
    (void)state;
    struct request request = help_frame(LESSON_TEXT, "mean");
    request.typed = "2x3x";
    struct scene *scene = help_step(&request);
    assert_string_equal(scene->step->question->answer, "");
    assert_string_equal(scene->step->question->echo, "= (2, 3)");
    assert_false(scene->step->question->echo_unread);
    scene_free(scene);
    request.typed = "2 bits 3";
    scene = help_step(&request);
    assert_true(scene->step->question->echo_unread);
    assert_non_null(strstr(scene->step->question->echo, "whole numbers"));
    scene_free(scene);
    request.typed = NULL;
    request.give_up = true;
    scene = help_step(&request);
    assert_string_equal(scene->step->question->answer, "(2, 3, 1)");
    assert_string_equal(scene->step->question->why, "It is (2, 3, 1).");
    scene_free(scene);
}

static void lessons_that_ask_for_no_shape(void **state)
{
    (void)state;
    static const struct {
        const char *parts, *error;
    } bad[] = {
        { "ask.shape 'a' { text = '?', why = '.', answer = '3' }", "lessons/try.lua:3: ask.shape \"a\": `answer` must come to a shape" },
        { "ask.shape 'a' { text = '?', why = '.', answer = { 2.5 } }", "`answer` must come to a shape" },
        { "ask.shape 'a' { text = '?', why = '.', answer = { -1 } }", "`answer` must come to a shape" },
        { "ask.shape 'a' { text = '?', why = '.', answer = { 2 }, also = { 4 } }", "`also` must come to a shape" },
        { "ask.shape 'a' { text = '?', why = '.', answer = { 2 },\nmistake 'm' { by = '7', say = '.' } }", "lessons/try.lua:4: mistake \"m\": `by` must come to a shape" },
        { "ask.shape 'a' { text = '?', why = '.', answer = { 2 }, places = 2 }", "has no field `places`" },
        { "ask.shape 'a' { text = '?', why = '.', data = function() return { k = 2 } end, answer = { 2 },\nmistake 'm' { by = { 2 }, say = '.' } }",
          "lessons/try.lua:4: 200 draws of `data` and none was fit: the mistake \"m\" and the answer of ask.shape \"a\" come to the same" },
    };
    for (size_t i = 0; i < HELP_COUNT(bad); i++) {
        char source[1000];
        snprintf(source, sizeof source, "return lesson \"try\" {\nformat = 1, title = \"t\",\n%s\n}\n", bad[i].parts);
        struct request request = help_request(REQUEST_LESSON, source);
        struct scene *scene = help_ask(&request);
        if (!scene->error || !strstr(scene->error, bad[i].error))
            fail_msg("%s: %s", bad[i].parts, scene->error ? scene->error : "no error");
        scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_as_typed),
        cmocka_unit_test(answer_and_echo),
        cmocka_unit_test(lessons_that_ask_for_no_shape),
    };
    return cmocka_run_group_tests_name("shapes", tests, NULL, NULL);
}
