/* view.block: every order, stage by stage, against numbers by hand. */
#include "engine_help.h"

#include <math.h>

static const char LESSON_TEXT[] = LESSON(
    "define = { F = function(h) return tensor { h[1] + h[2], h[1] - h[2], h[3] + h[4], h[3] - h[4] } end,\n"
    "  ten = function() return function(h) return 0 * h + 10 end end, narrow = function(h) return tensor{ 1, 2 } end,\n"
    "  rows = function(h) return 2 * h end },\n"
    "data = function(random) return { x = tensor{ 1, 7, 9, 15 }, y = tensor{ { 1, 3 }, { 2, 8 } } } end,\n"
    "step 'orders' { text = '.', knobs = { knob.pick 'order' { 'post', 'pre', 'output', 'sandwich', 'none', 'sideways' } }, edit = { 'x' },\n"
    "  show = view.block { 'x', sublayer = 'F', order = 'order' } },\n"
    "step 'plain' { text = '.', show = view.block { 'x', sublayer = 'F' } },\n"
    "step 'ten' { text = '.', knobs = { knob.pick 'order' { 'post', 'pre' } }, show = view.block { 'x', sublayer = 'ten()', order = 'order', eps = 1e-12 } },\n"
    "step 'tokens' { text = '.', cursor = { token = 2 }, show = view.block { 'y', sublayer = 'rows', order = 'none' } },\n"
    "step 'narrow' { text = '.', show = view.block { 'x', sublayer = 'narrow' } },\n"
    "step 'number' { text = '.', show = view.block { 'x', sublayer = '3' } },\n"
    "ask.tensor 'hidden' { text = '?', why = '.', answer = 'x + F(x)', hide = { 'F(x)', 'x + F(x)' }, show = view.block { 'x', sublayer = 'F', order = 'none' } },\n");

static struct request ordered(const char *step, const char *order, struct setting *setting)
{
    struct request request = help_frame(LESSON_TEXT, step);
    *setting = (struct setting){ .name = "order", .kind = SETTING_WORD, .word = order };
    request.settings = setting;
    request.setting_count = order ? 1 : 0;
    return request;
}

static const struct part_table *table_of(const struct scene *scene)
{
    assert_int_equal(scene->step->view->parts[0].kind, PART_TABLE);
    return &scene->step->view->parts[0].as.table;
}

static void check_stage(const struct part_table *table, size_t column, const char *name, const double *wanted, size_t count)
{
    assert_string_equal(table->head.item[column], name);
    for (size_t row = 0; row < count; row++) {
        double got = table->cells[row * table->head.count + column].value;
        if (!(fabs(got - wanted[row]) < 1e-4))
            fail_msg("%s, row %zu: %g, not %g", name, row + 1, got, wanted[row]);
    }
}

static void every_order_by_hand(void **state)
{
    (void)state;
    /* The last two rows: mean and variance. */
    static const struct { const char *order, *name[5]; double stage[5][6]; } cases[] = {
        { "post", { "x", "F(x)", "x + F(x)", "LN(x + F(x))" },
          { { 1, 7, 9, 15, 8, 25 }, { 8, -6, 24, -6, 5, 153 }, { 9, 1, 33, 9, 13, 144 }, { -1 / 3., -1, 5 / 3., -1 / 3., 0, 1 } } },
        { "pre", { "x", "LN(x)", "F(LN(x))", "x + F(LN(x))" },
          { { 1, 7, 9, 15, 8, 25 }, { -1.4, -.2, .2, 1.4, 0, 1 }, { -1.6, -1.2, 1.6, -1.2, -.6, 1.64 }, { -.6, 5.8, 10.6, 13.8, 7.4, 29.44 } } },
        { "output", { "x", "F(x)", "LN(F(x))", "x + LN(F(x))" },
          { { 1, 7, 9, 15 }, { 8, -6, 24, -6 }, { .24254, -.88930, 1.53606, -.88930, 0, 1 }, { 1.24254, 6.11070, 10.53606, 14.11070 } } },
        { "sandwich", { "x", "LN(x)", "F(LN(x))", "LN(F(LN(x)))", "x + LN(F(LN(x)))" },
          { { 1, 7, 9, 15 }, { -1.4, -.2, .2, 1.4 }, { -1.6, -1.2, 1.6, -1.2 }, { -.78087, -.46852, 1.71791, -.46852, 0, 1 }, { .21913, 6.53148, 10.71791, 14.53148 } } },
        { "none", { "x", "F(x)", "x + F(x)" }, { { 1, 7, 9, 15 }, { 8, -6, 24, -6 }, { 9, 1, 33, 9, 13, 144 } } },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        struct setting setting;
        struct request request = ordered("orders", cases[i].order, &setting);
        struct scene *scene = help_step(&request);
        const struct part_table *table = table_of(scene);
        size_t stages = 0;
        while (stages < 5 && cases[i].name[stages])
            stages++;
        assert_int_equal(table->head.count, stages);
        assert_int_equal(scene->step->view->stages, stages);
        for (size_t s = 0; s < stages; s++)
            check_stage(table, s, cases[i].name[s], cases[i].stage[s], cases[i].stage[s][5] != 0 ? 6 : 4);
        scene_free(scene);
    }
}

static void stages_come_one_by_one(void **state)
{
    (void)state;
    struct setting setting;
    struct request request = ordered("orders", "pre", &setting);
    for (request.stage = 1; request.stage <= 5; request.stage++) {
        struct scene *scene = help_step(&request);
        const struct part_table *table = table_of(scene);
        uint32_t shown = request.stage < 4 ? request.stage : 4;
        for (uint32_t column = 0; column < 4; column++)
            for (size_t row = 0; row < 6; row++) {
                const struct cell *cell = &table->cells[row * 4 + column];
                assert_true((*cell->text != '\0') == (column < shown));
                assert_true(((cell->flags & CELL_STAGE) != 0) == (column + 1 == shown));
                assert_true(column < shown || isnan(cell->value));
            }
        const struct part_bars *bars = &scene->step->view->parts[1].as.bars;
        assert_int_equal(bars->series_count, shown == 1 ? 1 : 2);
        if (shown > 1)
            assert_string_equal(bars->series[1].label, table->head.item[shown - 1]);
        scene_free(scene);
    }
}

static void a_constant_is_erased_after_and_kept_before(void **state)
{
    (void)state;
    struct setting setting;
    struct request request = ordered("ten", "post", &setting);
    struct scene *scene = help_step(&request);
    check_stage(table_of(scene), 3, "LN(x + F(x))", (const double[]){ -1.4, -.2, .2, 1.4 }, 4);
    scene_free(scene);
    request = ordered("ten", "pre", &setting);
    scene = help_step(&request);
    check_stage(table_of(scene), 3, "x + F(LN(x))", (const double[]){ 11, 17, 19, 25 }, 4);
    scene_free(scene);
}

static void post_is_the_order_where_none_is_given(void **state)
{
    (void)state;
    struct request request = help_frame(LESSON_TEXT, "plain");
    struct scene *scene = help_step(&request);
    assert_string_equal(table_of(scene)->head.item[3], "LN(x + F(x))");
    scene_free(scene);
}

static void of_several_tokens_the_one_under_the_cursor(void **state)
{
    (void)state;
    struct request request = help_frame(LESSON_TEXT, "tokens");
    struct scene *scene = help_step(&request);
    assert_string_equal(table_of(scene)->corner, "token 2");
    check_stage(table_of(scene), 2, "x + F(x)", (const double[]){ 6, 24, 15, 81 }, 4);
    assert_int_equal(scene->step->axis_count, 2);
    scene_free(scene);
}

static void what_is_hidden_is_not_there(void **state)
{
    (void)state;
    struct request request = help_frame(LESSON_TEXT, "hidden");
    struct scene *scene = help_step(&request);
    const struct part_table *table = table_of(scene);
    for (size_t row = 0; row < 6; row++) {
        assert_true(isfinite(table->cells[row * 3].value));
        for (size_t column = 1; column < 3; column++) {
            assert_string_equal(table->cells[row * 3 + column].text, "?");
            assert_true(isnan(table->cells[row * 3 + column].value));
        }
    }
    assert_true(isnan(scene->step->view->parts[1].as.bars.series[1].cells[0].value));
    scene_free(scene);
}

static void an_edited_cell_goes_through_the_block(void **state)
{
    (void)state;
    struct setting setting;
    struct request request = ordered("orders", "none", &setting);
    struct edit edit = { .name = "x", .rank = 1, .index = { 2 }, .value = -1 };
    request.edits = &edit;
    request.edit_count = 1;
    struct scene *scene = help_step(&request);
    check_stage(table_of(scene), 2, "x + F(x)", (const double[]){ 1, 1, 33, 9 }, 4);
    assert_true(table_of(scene)->cells[0].flags & CELL_EDITABLE);
    assert_false(table_of(scene)->cells[1].flags & CELL_EDITABLE);
    scene_free(scene);
}

static void faults_are_said(void **state)
{
    (void)state;
    struct setting setting;
    static const struct { const char *step, *order, *words; } cases[] = {
        { "narrow", NULL, "`sublayer` must return a tensor of the shape that it was given" },
        { "number", NULL, "`sublayer` must come to a function, not a number" },
        { "orders", "sideways", "`order` is \"post\", \"pre\", \"output\", \"sandwich\" or \"none\", not \"sideways\"" },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        struct request request = ordered(cases[i].step, cases[i].order, &setting);
        struct scene *scene = help_ask(&request);
        if (!scene->error || !strstr(scene->error, cases[i].words))
            fail_msg("%s: %s", cases[i].step, scene->error ? scene->error : "no error");
        scene_free(scene);
    }
    static const char *const bad[][2] = {
        { LESSON("step 's' { text = '.', show = view.block { { 1, 2 } } }"), "needs the field `sublayer`" },
        { LESSON("step 's' { text = '.', show = view.block { { 1, 2 }, sublayer = 'G' } }"), "`G`" },
        { LESSON("step 's' { text = '.', show = view.block { { 1, 2 }, sublayer = 'abs', order = 'psot' } }"), "psot" },
        { LESSON("ask.number 's' { text = '?', why = '.', answer = 1, hide = { 'F(y)' }, show = view.block { { 1, 2 }, sublayer = 'abs' } }"), "the view has no `F(y)`" },
    };
    for (size_t i = 0; i < HELP_COUNT(bad); i++) {
        struct request request = help_request(REQUEST_LESSON, bad[i][0]);
        struct scene *scene = help_ask(&request);
        if (!scene->error || !strstr(scene->error, bad[i][1]))
            fail_msg("%s: %s", bad[i][0], scene->error ? scene->error : "no error");
        scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_by_hand),
        cmocka_unit_test(stages_come_one_by_one),
        cmocka_unit_test(a_constant_is_erased_after_and_kept_before),
        cmocka_unit_test(post_is_the_order_where_none_is_given),
        cmocka_unit_test(of_several_tokens_the_one_under_the_cursor),
        cmocka_unit_test(what_is_hidden_is_not_there),
        cmocka_unit_test(an_edited_cell_goes_through_the_block),
        cmocka_unit_test(faults_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
