/* Several options, and pieces in order: what is typed, how they are picked, and the verdict on each. */
#include "engine_help.h"

#include "scene/picks.h"

static const char LESSON_TEXT[] = LESSON(
    "given = { k = 3 },\n"
    "ask.choice 'several' { text = '?', why = 'It was {answer}.', several = true,\n"
    "  option 'shape' { 'Shape', right = true }, option 'mean' { 'Mean', say = 'The mean is 0.' }, option 'rank' { 'Rank {k}', right = 'k == 3', say = '.' },\n"
    "  option 'spread' { 'Spread', say = 'The spread is 1, not {k}.' }, option 'sign' { 'Sign', right = 'k == 3', say = '.' } },\n"
    "ask.order 'order' { text = '?', why = 'It was {answer}.', hints = { 'Look.' },\n"
    "  piece 'keep' { 'Keep {k}' }, piece 'norm' { 'Norm' }, piece 'sublayer' { 'Sublayer' }, piece 'add' { 'Add' }, piece 'drop' { 'Drop' },\n"
    "  answer = { 'keep', 'norm', 'sublayer', 'add' }, also = { { 'norm', 'sublayer', 'keep', 'add' } },\n"
    "  mistake 'post' { by = { 'keep', 'sublayer', 'add', 'norm' }, say = 'Post-norm, from place {at} on: {got[at]}.' },\n"
    "  mistake 'never' { by = { 'drop', 'norm' }, say = '.', when = 'k > 3' },\n"
    "  mistake 'normed' { by = { 'norm', 'keep', 'sublayer', 'add' }, say = 'The skip is normed, {k}.' } },\n");

static struct scene *put(const char *step, const char *answer, uint64_t seed)
{
    struct request request = help_frame(LESSON_TEXT, step);
    request.answer = answer;
    request.seed = seed;
    return help_step(&request);
}

struct picked {
    const char *step, *typed;
    enum verdict verdict;
    const char *mistake, *say;
};

static const struct picked PICKED[] = {
    { "several", "shape rank sign", VERDICT_RIGHT, "", "" },
    { "several", "1 3 5", VERDICT_RIGHT, "", "" },
    { "several", "5, 3, 1", VERDICT_RIGHT, "", "" },
    { "several", "135", VERDICT_RIGHT, "", "" },
    { "several", "1) 3) 5)", VERDICT_RIGHT, "", "" },
    { "several", "1. 3. 5.", VERDICT_RIGHT, "", "" },
    { "several", "[1, 3, 5]", VERDICT_RIGHT, "", "" },
    { "several", "(1;3;5)\n", VERDICT_RIGHT, "", "" },
    { "several", "1 rank 5", VERDICT_RIGHT, "", "" },
    { "several", "1", VERDICT_WRONG, "", "Two more are right." },
    { "several", "1 5", VERDICT_WRONG, "", "One more is right." },
    { "several", "2", VERDICT_WRONG, "mean", "The mean is 0." },
    { "several", "1 2 3 5", VERDICT_WRONG, "mean", "The mean is 0." },
    { "several", "4", VERDICT_WRONG, "spread", "The spread is 1, not 3." },
    { "several", "4 2", VERDICT_WRONG, "mean", "Not all of these. The mean is 0." },
    { "several", "1 2 3 4 5", VERDICT_WRONG, "mean", "Not all of these." },
    { "several", "", VERDICT_UNREAD, "", "nothing is picked" },
    { "several", " , ", VERDICT_UNREAD, "", "nothing is picked" },
    { "several", "6", VERDICT_UNREAD, "", "there is no `6`" },
    { "several", "0", VERDICT_UNREAD, "", "there is no `0`" },
    { "several", "1 1", VERDICT_UNREAD, "", "1 stands there twice" },
    { "several", "1 shape", VERDICT_UNREAD, "", "twice" },
    { "several", "all", VERDICT_UNREAD, "", "numbers from 1 to 5" },
    { "several", "1 and 3", VERDICT_UNREAD, "", "`and`" },
    { "several", "-1", VERDICT_WRONG, "", "more are right" },
    { "several", "1.5", VERDICT_UNREAD, "", "`1.5`" },
    { "order", "keep norm sublayer add", VERDICT_RIGHT, "", "" },
    { "order", "norm sublayer keep add", VERDICT_RIGHT, "", "" },
    { "order", "keep, norm, sublayer, add", VERDICT_RIGHT, "", "" },
    { "order", "keep->norm->sublayer->add", VERDICT_RIGHT, "", "" },
    { "order", "keep -> norm -> sublayer -> add", VERDICT_RIGHT, "", "" },
    { "order", "keep \xe2\x86\x92 norm \xe2\x86\x92 sublayer\xe2\x86\x92" "add", VERDICT_RIGHT, "", "" },
    { "order", "keep>norm>sublayer>add", VERDICT_RIGHT, "", "" },
    { "order", "keep\nnorm\nsublayer\nadd\n", VERDICT_RIGHT, "", "" },
    { "order", "keep\r\nnorm\r\nsublayer\r\nadd", VERDICT_RIGHT, "", "" },
    { "order", "keep sublayer add norm", VERDICT_WRONG, "post", "Post-norm, from place 2 on: sublayer." },
    { "order", "norm keep sublayer add", VERDICT_WRONG, "normed", "The skip is normed, 3." },
    { "order", "drop norm", VERDICT_WRONG, "", "The first piece is not \"Drop\"." },
    { "order", "keep drop", VERDICT_WRONG, "", "The second piece is not \"Drop\"." },
    { "order", "add", VERDICT_WRONG, "", "The first piece is not \"Add\"." },
    { "order", "norm sublayer add keep", VERDICT_WRONG, "", "two neighbours are to be swapped" },
    { "order", "keep norm add sublayer", VERDICT_WRONG, "", "two neighbours are to be swapped" },
    { "order", "norm sublayer", VERDICT_WRONG, "", "right as far as it goes" },
    { "order", "keep", VERDICT_WRONG, "", "right as far as it goes" },
    { "order", "keep norm sublayer add drop", VERDICT_WRONG, "", "one thing too much; \"Drop\"" },
    { "order", "keep norm drop add", VERDICT_WRONG, "", "The third piece is not \"Drop\"." },
    { "order", "", VERDICT_UNREAD, "", "nothing is picked" },
    { "order", "keep norm norm add", VERDICT_UNREAD, "", "twice" },
    { "order", "keep norm layer add", VERDICT_UNREAD, "", "there is no `layer` here" },
    { "order", "Keep", VERDICT_UNREAD, "", "there is no `Keep` here" },
    { "order", "9", VERDICT_UNREAD, "", "numbers from 1 to 5" },
    { "order", "sublayernorm", VERDICT_UNREAD, "", "`sublayernorm`" },
};

static void picked_as_typed(void **state)
{
    (void)state;
    for (size_t i = 0; i < HELP_COUNT(PICKED); i++) {
        const struct picked *picked = &PICKED[i];
        struct scene *scene = put(picked->step, picked->typed, 1);
        const struct scene_question *q = scene->step->question;
        if (q->verdict != picked->verdict || strcmp(q->mistake, picked->mistake) || !strstr(q->say, picked->say) || (!*picked->say && *q->say))
            fail_msg("%s `%s`: verdict %d, mistake \"%s\", \"%s\"", picked->step, picked->typed, q->verdict, q->mistake, q->say);
        assert_int_equal(q->final, picked->verdict == VERDICT_RIGHT);
        assert_true((*q->answer != '\0') == q->final);
        assert_true((*q->said != '\0') == (q->verdict != VERDICT_UNREAD));
        scene_free(scene);
    }
}

static void the_words_of_what_was_picked(void **state)
{
    (void)state;
    struct scene *scene = put("several", "5 1", 1);
    assert_true(scene->step->question->several);
    assert_string_equal(scene->step->question->said, "Shape; Sign");
    scene_free(scene);
    scene = put("several", "5 1 3", 1);
    assert_string_equal(scene->step->question->answer, "Shape; Rank 3; Sign");
    assert_string_equal(scene->step->question->why, "It was Shape; Rank 3; Sign.");
    scene_free(scene);
    scene = put("order", "norm add", 1);
    assert_int_equal(scene->step->kind, STEP_ORDER);
    assert_string_equal(scene->step->question->said, "Norm → Add");
    assert_string_equal(scene->step->question->expects, "the pieces that belong, in order");
    scene_free(scene);
    scene = put("order", "keep norm sublayer add", 1);
    assert_string_equal(scene->step->question->why, "It was Keep 3 → Norm → Sublayer → Add.");
    scene_free(scene);
}

/* Places as shown, which differ from seed to seed; never the order that is asked for. */
static void pieces_are_shuffled_by_the_seed(void **state)
{
    (void)state;
    static const char *const right[] = { "keep", "norm", "sublayer", "add" };
    bool moved = false;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct scene *scene = put("order", NULL, seed), *again = put("order", NULL, seed);
        const struct scene_question *q = scene->step->question;
        char numbers[32] = "";
        size_t places[4] = { 0 };
        assert_int_equal(q->option_count, 5);
        for (size_t i = 0; i < 5; i++) {
            assert_string_equal(q->options[i].id, again->step->question->options[i].id);
            for (size_t r = 0; r < 4; r++)
                if (!strcmp(q->options[i].id, right[r]))
                    places[r] = i;
        }
        moved = moved || places[0] > places[3];
        assert_false(places[0] < places[1] && places[1] < places[2] && places[2] < places[3]);
        for (size_t r = 0; r < 4; r++)
            snprintf(numbers + strlen(numbers), sizeof numbers - strlen(numbers), "%zu%s", places[r] + 1, r < 3 ? seed % 2 ? "-" : " " : "");
        scene_free(scene);
        scene_free(again);
        scene = put("order", numbers, seed);
        if (scene->step->question->verdict != VERDICT_RIGHT)
            fail_msg("seed %llu: `%s`: %s", (unsigned long long)seed, numbers, scene->step->question->say);
        scene_free(scene);
    }
    assert_true(moved);
}

static void lessons_that_do_not_hold_together(void **state)
{
    (void)state;
#define ORDER(parts) LESSON("ask.order 'o' { text = '?', why = '.', " parts " }")
#define PIECES "piece 'a' { 'A' }, piece 'b' { 'B' }, piece 'c' { 'C' }, "
    static const struct { const char *source, *words; } cases[] = {
        { ORDER(PIECES "answer = { 'a', 'x' }"), "there is no piece \"x\"" },
        { ORDER(PIECES "answer = { 'a', 'a' }"), "has the piece \"a\" twice" },
        { ORDER(PIECES "answer = { 'a' }"), "needs two pieces at least" },
        { ORDER(PIECES "answer = {}"), "must list pieces" },
        { ORDER(PIECES "answer = 'a b'"), "must be a list of texts" },
        { ORDER(PIECES), "needs the field `answer`" },
        { ORDER("piece 'a' { 'A' }, answer = { 'a' }"), "has 1 pieces; it needs 2 to 32" },
        { ORDER(PIECES "answer = { 'a', 'b' }, also = { 'b', 'a' }"), "must be a list of lists of ids" },
        { ORDER(PIECES "answer = { 'a', 'b' }, also = { { 'b', 'z' } }"), "there is no piece \"z\"" },
        { ORDER(PIECES "answer = { 'a', 'b' }, mistake 'm' { by = { 'b', 'd' }, say = '.' }"), "there is no piece \"d\"" },
        { ORDER(PIECES "answer = { 'a', 'b' }, mistake 'm' { by = 'b', say = '.' }"), "must be a list of texts" },
        { ORDER(PIECES "answer = { 'a', 'b' }, mistake 'm' { by = { 'a', 'b' }, say = '.' }"), "come to the same" },
        { ORDER(PIECES "answer = { 'a', 'b' }, option 'm' { 'x' }"), "option may not stand" },
        { ORDER("piece 'a' { 'A' }, piece 'a' { 'B' }, answer = { 'a', 'b' }"), "used twice" },
        { ORDER(PIECES "answer = { 'a', 'b' }, piece 'd' { 'D {nope}' }"), "nope" },
        { LESSON("ask.choice 'c' { text = '?', why = '.', several = true, option 'a' { 'A', say = '.' }, option 'b' { 'B', say = '.' } }"), "one at least must be" },
        { LESSON("ask.choice 'c' { text = '?', why = '.', several = 1, option 'a' { 'A', right = true }, option 'b' { 'B', say = '.' } }"), "true or false" },
        { LESSON("ask.choice 'c' { text = '?', why = '.', option 'a' { 'A', right = true }, option 'b' { 'B', right = true } }"), "unless `several = true`" },
        { LESSON("ask.number 'c' { text = '?', why = '.', answer = 1, piece 'a' { 'A' } }"), "piece may not stand" },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        struct request request = help_request(REQUEST_LESSON, cases[i].source);
        struct scene *scene = help_ask(&request);
        if (!scene->error || !strstr(scene->error, cases[i].words))
            fail_msg("%s\n%s", cases[i].source, scene->error ? scene->error : "no error");
        scene_free(scene);
    }
}

/* ---- in the hand ---- */

static const struct scene_option OPTIONS[] = { { "a", "A" }, { "b", "B" }, { "c", "C" }, { "2", "two" } };

static void check_ids(const struct picks *picks, const char *wanted)
{
    struct strbuf ids = { 0 };
    picks_write(&ids, picks, OPTIONS);
    assert_string_equal(strbuf_string(&ids), wanted);
    strbuf_free(&ids);
}

static void an_id_goes_before_a_number(void **state)
{
    (void)state;
    struct picks picks;
    assert_int_equal(picks_read(&picks, OPTIONS, 4, "2 1", NULL), 0);
    check_ids(&picks, "2 a");
    assert_int_equal(picks.place[0], 3);
}

static void pieces_go_in_out_and_along(void **state)
{
    (void)state;
    struct picks picks = { 0 };
    picks_toggle(&picks, 2);
    picks_toggle(&picks, 0);
    picks_toggle(&picks, 1);
    check_ids(&picks, "c a b");
    picks_carry(&picks, 1, -1);
    check_ids(&picks, "c b a");
    picks_carry(&picks, 1, -1);
    picks_carry(&picks, 1, -1); /* at the start already */
    check_ids(&picks, "b c a");
    picks_carry(&picks, 1, 1);
    check_ids(&picks, "c b a");
    picks_carry(&picks, 0, 1); /* past the end */
    check_ids(&picks, "c b");
    picks_carry(&picks, 0, 1);
    check_ids(&picks, "c b");
    picks_carry(&picks, 0, -1); /* and back */
    check_ids(&picks, "c b a");
    picks_toggle(&picks, 1);
    check_ids(&picks, "c a");
    assert_true(picks_have(&picks, 2));
    assert_false(picks_have(&picks, 1));
    static const size_t rows[] = { 2, 0, 1, 3 };
    for (size_t row = 0; row < HELP_COUNT(rows); row++) {
        assert_int_equal(picks_at(&picks, row), rows[row]);
        assert_int_equal(picks_row(&picks, rows[row]), row);
    }
}

static void no_more_than_there_is_room_for(void **state)
{
    (void)state;
    struct picks picks = { 0 };
    for (size_t i = 0; i < OPTIONS_MAX + 5; i++)
        picks_toggle(&picks, i);
    assert_int_equal(picks.count, OPTIONS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(picked_as_typed),
        cmocka_unit_test(the_words_of_what_was_picked),
        cmocka_unit_test(pieces_are_shuffled_by_the_seed),
        cmocka_unit_test(lessons_that_do_not_hold_together),
        cmocka_unit_test(an_id_goes_before_a_number),
        cmocka_unit_test(pieces_go_in_out_and_along),
        cmocka_unit_test(no_more_than_there_is_room_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
