/* view.pipeline stage by stage: where the cursor stands, what is lit, and the formula of its number. */
#include "engine_help.h"

#include <math.h>

static const char LESSON_TEXT[] = LESSON(
    "data = function(random) return { x = tensor{ 1, 7, 9, 15 }, rows = tensor{ { 4, 4, 4 }, { 0, -3, 6 } }, scale = tensor{ 2, 1, -1, 0.5 } } end,\n"
    "step 'plain' { text = '.', show = view.pipeline { 'x' } },\n"
    "step 'affine' { text = '.', show = view.pipeline { 'x', scale = 'scale', bias = 'tensor{ 0, -1, 0.5, 2 }' } },\n"
    "step 'bias' { text = '.', show = view.pipeline { 'x', bias = '3' } },\n"
    "step 'rows' { text = '.', cursor = { token = 2, feature = 2 }, edit = { 'rows' }, show = view.pipeline { 'rows', eps = '0' } },\n"
    "step 'long' { text = '.', show = view.pipeline { 'tensor{ 1, 2, 3, 4, 5, 6, 7, 8 }' } },\n"
    "ask.number 'asked' { text = '?', why = '.', answer = 'x:var()', hide = { 'var' }, show = view.pipeline { 'x' } },\n"
    "ask.number 'back' { text = '?', why = '.', answer = '1', hide = { 'scaled' }, show = view.pipeline { 'x', scale = '2', bias = '3' } },\n");

static struct scene *at(const char *step, uint32_t stage, uint32_t feature)
{
    struct request request = help_frame(LESSON_TEXT, step);
    struct cursor cursor = { .axis = "feature", .index = feature };
    request.stage = stage;
    request.cursors = &cursor;
    request.cursor_count = feature > 0;
    return help_step(&request);
}

static const struct part_table *table_of(const struct scene *scene)
{
    assert_int_equal(scene->step->view->parts[0].kind, PART_TABLE);
    return &scene->step->view->parts[0].as.table;
}

/* The cells with the flag: "x1 x, mean x". */
static void flagged(char out[200], const struct part_table *table, uint32_t flag)
{
    size_t columns = table->head.count, used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < columns * table->labels.count; i++)
        if (table->cells[i].flags & flag)
            used += (size_t)snprintf(out + used, 200 - used, "%s%s %s", used ? ", " : "", table->labels.item[i / columns], table->head.item[i % columns]);
}

static void check(const char *step, uint32_t stage, uint32_t feature, const char *cursor, const char *lit, const char *note)
{
    struct scene *scene = at(step, stage, feature);
    const struct part_table *table = table_of(scene);
    char text[200];
    flagged(text, table, CELL_CURSOR);
    assert_string_equal(text, cursor);
    flagged(text, table, CELL_SET);
    assert_string_equal(text, lit);
    assert_string_equal(table->note, note);
    for (size_t i = 0; i < table->head.count * table->labels.count; i++)
        if ((table->cells[i].flags & (CELL_CURSOR | CELL_SET)) && !*table->cells[i].text)
            fail_msg("%s, stage %u: nothing stands in a cell that is lit", step, stage);
    scene_free(scene);
}

static void every_number_lights_what_it_came_from(void **state)
{
    (void)state;
    check("plain", 1, 3, "x3 x", "", "x3 = 9");
    check("plain", 2, 3, "mean x", "x1 x, x2 x, x3 x, x4 x", "mean = sum of x / n = (1 + 7 + 9 + 15) / 4 = 8");
    check("plain", 3, 3, "x3 centred", "x3 x, mean x", "centred 3 = x3 − mean = 9 − 8 = 1");
    check("plain", 3, 1, "x1 centred", "x1 x, mean x", "centred 1 = x1 − mean = 1 − 8 = -7");
    check("plain", 4, 1, "x1 squared", "x1 centred", "squared 1 = (centred 1)² = (-7)² = 49");
    check("plain", 4, 4, "x4 squared", "x4 centred", "squared 4 = (centred 4)² = 7² = 49");
    check("plain", 5, 4, "mean var", "x1 squared, x2 squared, x3 squared, x4 squared", "var = sum of squared / n = (49 + 1 + 1 + 49) / 4 = 25");
    check("plain", 6, 2, "mean 1/√(var+ε)", "mean var", "1/√(var+ε) = 1/√(25 + 1e-5) = 0.2");
    check("plain", 7, 2, "x2 normalized", "x2 centred, mean 1/√(var+ε)", "normalized 2 = centred 2 × 1/√(var+ε) = -1 × 0.2 = -0.2");
    check("plain", 99, 2, "x2 normalized", "x2 centred, mean 1/√(var+ε)", "normalized 2 = centred 2 × 1/√(var+ε) = -1 × 0.2 = -0.2");
    check("affine", 8, 3, "x3 × scale", "x3 normalized", "scaled 3 = normalized 3 × scale 3 = 0.2 × (-1) = -0.2");
    check("affine", 9, 3, "x3 + bias", "x3 × scale", "shifted 3 = scaled 3 + bias 3 = -0.2 + 0.5 = 0.3");
    check("bias", 8, 1, "x1 + bias", "x1 normalized", "shifted 1 = normalized 1 + bias 1 = -1.4 + 3 = 1.6");
    check("rows", 3, 0, "x2 centred", "x2 x, mean x", "centred 2 = x2 − mean = -3 − 1 = -4");
    check("rows", 2, 0, "mean x", "x1 x, x2 x, x3 x", "mean = sum of x / n = (0 + (-3) + 6) / 3 = 1");
    check("long", 2, 1, "mean x", "x1 x, x2 x, x3 x, x4 x, x5 x, x6 x, x7 x, x8 x", "mean = sum of x / n = (1 + 2 + … + 8) / 8 = 4.5");
}

static void the_whole_marks_a_feature(void **state)
{
    (void)state;
    struct scene *scene = at("plain", 0, 2);
    char text[200];
    flagged(text, table_of(scene), CELL_CURSOR);
    assert_string_equal(text, "x2 x, x2 centred, x2 squared, x2 var, x2 1/√(var+ε), x2 normalized");
    flagged(text, table_of(scene), CELL_SET | CELL_STAGE);
    assert_string_equal(text, "");
    assert_null(table_of(scene)->note);
    assert_int_equal(scene->step->view->stages, 7);
    assert_int_equal(scene->step->axis_count, 1);
    scene_free(scene);
    scene = at("rows", 0, 3);
    assert_string_equal(table_of(scene)->corner, "token 2");
    assert_int_equal(scene->step->axis_count, 2);
    flagged(text, table_of(scene), CELL_EDITABLE);
    assert_string_equal(text, "x1 x, x2 x, x3 x");
    scene_free(scene);
}

/* What is still to come is blank, as far as the last stage. */
static void stages_open_one_by_one(void **state)
{
    (void)state;
    static const size_t filled[] = { 27, 4, 5, 9, 13, 14, 15, 19, 23, 27 };
    for (uint32_t stage = 0; stage < HELP_COUNT(filled); stage++) {
        struct scene *scene = at("affine", stage, 1);
        size_t count = 0;
        for (size_t i = 0; i < table_of(scene)->head.count * table_of(scene)->labels.count; i++)
            count += *table_of(scene)->cells[i].text != '\0';
        assert_int_equal(count, filled[stage]);
        scene_free(scene);
    }
}

static void a_hidden_number_has_no_formula(void **state)
{
    (void)state;
    check("asked", 5, 1, "mean var", "x1 squared, x2 squared, x3 squared, x4 squared", "var = ?");
    check("asked", 6, 1, "mean 1/√(var+ε)", "mean var", "1/√(var+ε) = 1/√(? + ?) = 0.2");
    check("back", 9, 1, "x1 + bias", "x1 × scale", "shifted 1 = scaled 1 + bias 1 = ? + ? = 0.2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_lights_what_it_came_from), cmocka_unit_test(the_whole_marks_a_feature),
        cmocka_unit_test(stages_open_one_by_one),                cmocka_unit_test(a_hidden_number_has_no_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
