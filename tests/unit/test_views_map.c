/* The views of a tensor cell by cell: which elements share a mean, how large each is, and how two of them differ. */
#include "engine_help.h"

#include <math.h>

/* ---- a tensor and its sets, by hand ---- */

enum { BATCH = 2, TOKENS = 3, FEATURES = 4, CELLS = BATCH * TOKENS * FEATURES };

static double element(size_t b, size_t t, size_t f)
{
    return (double)(b * 100 + t * 10 + f * f);
}

#define DATA "data = function(random) local rows = {} for b = 0, 1 do rows[b + 1] = {} for t = 0, 2 do rows[b + 1][t + 1] = {}\n" \
             "  for f = 0, 3 do rows[b + 1][t + 1][f + 1] = b * 100 + t * 10 + f * f end end end return { x = tensor(rows) } end,\n"

static const char *const axes = LESSON(
    DATA
    "given = { which = '\"token\"' },\n"
    "step 'turn' { text = '{cursor.batch} {cursor.token} {cursor.feature}', knobs = { knob.pick 'over' { 'feature', 'token', 'batch', 'all' } }, show = view.axes { 'x', over = 'over' } },\n"
    "step 'feature' { text = '', edit = { 'x' }, show = view.axes { 'x', over = 'feature' } },\n"
    "step 'token' { text = '', show = view.axes { 'x', over = 'which' } },\n"
    "step 'batch' { text = '', show = view.axes { 'x', over = { 'batch' } } },\n"
    "step 'batch-token' { text = '', show = view.axes { 'x', over = { 'batch', 'token' } } },\n"
    "step 'token-feature' { text = '', show = view.axes { 'x', over = function(d) return { 'token', 'feature' } end } },\n"
    "step 'all' { text = '', show = view.axes { 'x', over = 'all' } },\n"
    "step 'last' { text = '', show = view.axes { 'x', over = '-1' } },\n"
    "ask.number 'count' { text = '', answer = 6, why = '.', hide = { 'shape' }, show = view.axes { 'x', over = 'feature' } },\n"
    "ask.number 'mean' { text = '', answer = 3.5, why = '.', hide = { 'statistic' }, show = view.axes { 'x', over = 'feature' } },\n"
    "step 'row' { text = '', show = view.axes { 'x[1][1]', over = 'feature' } },\n"
    "step 'matrix' { text = '', show = view.axes { 'tensor(x[1], { \"out\", \"in\" })', over = 'in' } },\n"
    "step 'many' { text = '', show = view.axes { 'tensor.ones { 5, 5, 2 }', over = 'feature' } }");

/* Names of the axes of each step's mean, a bit an axis: batch 1, token 2, feature 4. */
static const struct { const char *step; unsigned over; const char *words, *shape, *count; } turns[] = {
    { "feature", 4, "feature", "(2, 3, 1)", "6" },
    { "token", 2, "token", "(2, 1, 4)", "8" },
    { "batch", 1, "batch", "(1, 3, 4)", "12" },
    { "batch-token", 3, "batch and token", "(1, 1, 4)", "4" },
    { "token-feature", 6, "token and feature", "(2, 1, 1)", "2" },
    { "all", 7, "all axes", "(1, 1, 1)", "1" },
    { "last", 4, "feature", "(2, 3, 1)", "6" },
};

static struct scene *look(const char *source, const char *step, uint32_t b, uint32_t t, uint32_t f)
{
    struct request request = help_frame(source, step);
    const struct cursor cursors[] = { { "batch", b }, { "token", t }, { "feature", f } };
    request.cursors = cursors;
    request.cursor_count = 3;
    struct scene *scene = help_step(&request);
    struct strbuf bytes = help_bytes(scene); /* what is made can travel */
    strbuf_free(&bytes);
    return scene;
}

static const struct part_map *map_of(const struct scene *scene, size_t part)
{
    assert_true(part < scene->step->view->part_count);
    assert_int_equal(scene->step->view->parts[part].kind, PART_MAP);
    return &scene->step->view->parts[part].as.map;
}

static const struct cell *facts_of(const struct scene *scene)
{
    assert_int_equal(scene->step->view->parts[1].kind, PART_TABLE);
    assert_int_equal(scene->step->view->parts[1].as.table.head.count, 3);
    return scene->step->view->parts[1].as.table.cells;
}

/* Every cell of the map, at every place of the cursor, against a loop over the tensor. */
static void sets_and_means(void **state)
{
    (void)state;
    for (size_t n = 0; n < HELP_COUNT(turns); n++)
        for (uint32_t place = 0; place < CELLS; place++) {
            const size_t at[3] = { place / 12, place / 4 % 3, place % 4 };
            struct scene *scene = look(axes, turns[n].step, (uint32_t)at[0] + 1, (uint32_t)at[1] + 1, (uint32_t)at[2] + 1);
            const struct part_map *map = map_of(scene, 0);
            assert_int_equal(map->blocks.count, BATCH);
            assert_int_equal(map->rows.count, TOKENS);
            assert_int_equal(map->columns.count, FEATURES);
            double sum = 0;
            size_t members = 0;
            for (size_t i = 0; i < CELLS; i++) {
                const size_t index[3] = { i / 12, i / 4 % 3, i % 4 };
                bool member = true;
                for (int axis = 0; axis < 3; axis++)
                    if (!(turns[n].over >> axis & 1) && index[axis] != at[axis])
                        member = false;
                assert_true(map->cells[i].value == element(index[0], index[1], index[2]));
                assert_int_equal((map->cells[i].flags & CELL_SET) != 0, member);
                assert_int_equal((map->cells[i].flags & CELL_CURSOR) != 0, i == place);
                sum += member ? element(index[0], index[1], index[2]) : 0;
                members += member;
            }
            const struct cell *facts = facts_of(scene);
            assert_string_equal(strstr(map->title, "over ") + 5, turns[n].words);
            assert_string_equal(facts[0].text, turns[n].shape);
            assert_string_equal(facts[1].text, turns[n].count);
            assert_true(fabs(facts[2].value - sum / (double)members) < 1e-4);
            if (!strcmp(turns[n].count, "1")) {
                assert_int_equal(scene->step->view->part_count, 2);
            } else { /* the marked one of the means is the one that the table gives */
                const struct part_map *means = map_of(scene, 2);
                size_t count = means->blocks.count * means->rows.count * means->columns.count, marked = 0;
                assert_int_equal(count, CELLS / members);
                assert_int_equal(count, strtoul(turns[n].count, NULL, 10));
                for (size_t i = 0; i < count; i++)
                    if (means->cells[i].flags & CELL_CURSOR) {
                        assert_true(means->cells[i].value == facts[2].value);
                        marked++;
                    }
                assert_int_equal(marked, 1);
            }
            scene_free(scene);
        }
}

static void axes_and_labels(void **state)
{
    (void)state;
    struct scene *scene = look(axes, "turn", 2, 9, 3);
    const struct scene_step *step = scene->step;
    static const char *const names[] = { "batch", "token", "feature" };
    assert_int_equal(step->axis_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(step->axes[i].name, names[i]);
        assert_int_equal(step->axes[i].size, i + 2);
    }
    assert_string_equal(step->text, "2 3 3");
    const struct part_map *map = map_of(scene, 0);
    assert_string_equal(map->title, "x (2, 3, 4) over feature");
    assert_string_equal(map->blocks.item[1], "sample 2");
    assert_string_equal(map->rows.item[2], "token 3");
    assert_string_equal(map->columns.item[3], "x4");
    assert_true(map->reach == 0);
    assert_string_equal(step->view->alt, "A (2, 3, 4) tensor averaged over feature: 6 means, shape (2, 3, 1); the 4 numbers in the mean of the one under "
                                         "the cursor are marked.");
    const struct part_map *means = map_of(scene, 2);
    assert_string_equal(means->blocks.item[1], "sample 2");
    assert_string_equal(means->rows.item[2], "token 3");
    assert_string_equal(means->columns.item[0], "");
    assert_int_equal(map->cells[0].flags & CELL_EDITABLE, 0);
    scene_free(scene);

    static const char *const words[] = { "feature", "token", "batch", "all axes" };
    static const char *const turned[] = { "feature", "token", "batch", "all" };
    for (size_t i = 0; i < 4; i++) {
        struct setting over = { "over", SETTING_WORD, 0, false, turned[i] };
        struct request request = help_frame(axes, "turn");
        request.settings = &over;
        request.setting_count = 1;
        scene = help_step(&request);
        assert_string_equal(strstr(map_of(scene, 0)->title, "over ") + 5, words[i]);
        scene_free(scene);
    }

    scene = look(axes, "feature", 1, 1, 1);
    for (size_t i = 0; i < CELLS; i++)
        assert_true(map_of(scene, 0)->cells[i].flags & CELL_EDITABLE);
    scene_free(scene);

    scene = look(axes, "row", 1, 1, 2);
    map = map_of(scene, 0);
    assert_int_equal(map->blocks.count, 1);
    assert_string_equal(map->blocks.item[0], "");
    assert_string_equal(map->rows.item[0], "");
    assert_string_equal(facts_of(scene)[0].text, "(1,)");
    assert_int_equal(scene->step->axis_count, 1);
    scene_free(scene);

    scene = look(axes, "matrix", 1, 1, 1);
    assert_string_equal(map_of(scene, 0)->rows.item[0], "out 1");
    assert_string_equal(map_of(scene, 0)->columns.item[1], "in 2");
    assert_string_equal(scene->step->axes[0].name, "out");
    scene_free(scene);

    scene = look(axes, "many", 1, 1, 1); /* 25 means */
    assert_int_equal(scene->step->view->part_count, 2);
    assert_string_equal(facts_of(scene)[2].text, "1");
    scene_free(scene);
}

/* Before the answer, nothing of what it asks is in the scene; after it, all is. */
static void axes_hide(void **state)
{
    (void)state;
    struct request request = help_frame(axes, "count");
    struct scene *scene = help_step(&request);
    const struct cell *facts = facts_of(scene);
    for (int i = 0; i <= 1; i++) {
        assert_string_equal(facts[i].text, "?");
        assert_true(isnan(facts[i].value));
        assert_int_equal(facts[i].flags & CELL_HIDDEN, CELL_HIDDEN);
    }
    assert_string_equal(facts[2].text, "3.5");
    assert_int_equal(scene->step->view->part_count, 2); /* a map of the means would be counted */
    assert_null(strstr(scene->step->view->alt, "6"));
    assert_null(strstr(scene->step->view->alt, "3, 1"));
    scene_free(scene);
    request.answer = "6";
    scene = help_step(&request);
    assert_string_equal(facts_of(scene)[0].text, "(2, 3, 1)");
    assert_int_equal(scene->step->view->part_count, 3);
    scene_free(scene);

    request = help_frame(axes, "mean");
    scene = help_step(&request);
    assert_string_equal(facts_of(scene)[1].text, "6");
    assert_string_equal(facts_of(scene)[2].text, "?");
    for (size_t i = 0; i < 6; i++)
        assert_true(isnan(map_of(scene, 2)->cells[i].value));
    scene_free(scene);
}

/* ---- heat ---- */

static void shades(void **state)
{
    (void)state;
    static const char *const source = LESSON(
        "step 's' { text = '', show = view.heat { '{ { 1, -8.5 }, { 0, nan } }', names = { 'left', 'right' } } },\n"
        "step 'none' { text = '', show = view.heat { 'tensor.zeros { 2, 2, 2 }' } },\n"
        "ask.number 'q' { text = '', answer = 8.5, why = '.', hide = { 'cells' }, show = view.heat { '{ { 1, -8.5 }, { 0, 2 } }' } }");
    struct scene *scene = look(source, "s", 1, 2, 1);
    const struct part_map *map = map_of(scene, 0);
    assert_true(map->reach == 8.5);
    assert_string_equal(map->columns.item[1], "right");
    assert_string_equal(map->cells[3].text, "nan");
    assert_int_equal(map->cells[2].flags, CELL_CURSOR);
    assert_string_equal(scene->step->view->alt, "A (2, 2) tensor, shaded by magnitude: from -8.5 to 1.");
    scene_free(scene);
    scene = look(source, "none", 1, 1, 1);
    assert_true(map_of(scene, 0)->reach > 0);
    scene_free(scene);
    scene = look(source, "q", 1, 1, 1);
    assert_true(map_of(scene, 0)->reach == 1);
    assert_string_equal(map_of(scene, 0)->cells[1].text, "?");
    assert_null(strstr(scene->step->view->alt, "8.5"));
    scene_free(scene);
}

/* ---- compare ---- */

static const char *const pairs = LESSON(
    DATA
    "given = { y = 'x + 0', first = 'x[1][1]', moved = 'first + tensor { 0, 0.5, 0, -2 }' },\n"
    "step 'row' { text = '', show = view.compare { 'first', 'moved', names = { 'before', 'after' } } },\n"
    "step 'same' { text = '', edit = { 'x' }, show = view.compare { 'x', 'y' } },\n"
    "step 'nan' { text = '', show = view.compare { '{ nan, 1, inf }', '{ nan, 1, inf }' } },\n"
    "step 'apart' { text = '', show = view.compare { '{ nan, 1 }', '{ 0, 1 }' } },\n"
    "step 'round' { text = '', show = view.compare { '{ 1000, 1 }', '{ 1000.001, 1 }' } },\n"
    "step 'far' { text = '', show = view.compare { 'x', 'x:with({ 2, 3, 4 }, 0)' } },\n"
    "ask.number 'q' { text = '', answer = 2, why = '.', hide = { 'b', 'difference' }, show = view.compare { 'first', 'moved' } },\n"
    "ask.number 'several' { text = '', answer = 129, why = '.', hide = { 'difference' }, show = view.compare { 'x', 'x:with({ 2, 3, 4 }, 0)' } }");

static const struct part_table *rows_of_pair(const struct scene *scene)
{
    assert_int_equal(scene->step->view->parts[0].kind, PART_TABLE);
    assert_int_equal(scene->step->view->parts[0].as.table.labels.count, 3);
    return &scene->step->view->parts[0].as.table;
}

static void compares_rows(void **state)
{
    (void)state;
    struct scene *scene = look(pairs, "row", 1, 1, 2);
    const struct part_table *table = rows_of_pair(scene);
    static const char *const want[] = { "0.0", "1.0", "4.0", "9.0", "0.0", "1.5", "4.0", "7.0", "0.0", "0.5", "0.0", "-2.0" };
    static const double values[] = { 0, 1, 4, 9, 0, 1.5, 4, 7, 0, .5, 0, -2 };
    assert_int_equal(scene->step->view->part_count, 1);
    assert_string_equal(table->corner, "");
    assert_string_equal(table->labels.item[0], "before");
    assert_string_equal(table->labels.item[1], "after");
    assert_string_equal(table->labels.item[2], "difference");
    assert_string_equal(table->head.item[3], "x4");
    for (size_t i = 0; i < HELP_COUNT(values); i++) {
        assert_true(table->cells[i].value == values[i]);
        assert_string_equal(table->cells[i].text, want[i]);
        assert_int_equal((table->cells[i].flags & CELL_CURSOR) != 0, i % 4 == 1);
    }
    assert_int_equal(scene->step->axis_count, 1);
    assert_string_equal(scene->step->view->alt, "before and after, (4,) each: they differ: the largest difference is 2.");
    scene_free(scene);

    static const struct { const char *step, *verdict; } cases[] = {
        { "nan", "they agree." },
        { "apart", "they differ: one has nan or inf where the other has not." },
        { "round", "they agree but for rounding: the largest difference is 0.0009766." },
        { "same", "x and y, (2, 3, 4) each: they agree." },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        scene = look(pairs, cases[i].step, 1, 1, 1);
        if (!strstr(scene->step->view->alt, cases[i].verdict))
            fail_msg("%s: %s", cases[i].step, scene->step->view->alt);
        scene_free(scene);
    }
    scene = look(pairs, "nan", 1, 1, 1);
    table = rows_of_pair(scene);
    assert_string_equal(table->cells[6].text, "nan");
    assert_string_equal(table->cells[7].text, "0");
    assert_string_equal(table->cells[8].text, "0");
    scene_free(scene);
}

/* Of several rows, the one under the cursor in full, and every difference. */
static void compares_tensors(void **state)
{
    (void)state;
    struct scene *scene = look(pairs, "far", 2, 3, 1);
    const struct part_table *table = rows_of_pair(scene);
    assert_string_equal(table->corner, "sample 2, token 3");
    assert_true(table->cells[3].value == 129 && table->cells[7].value == 0 && table->cells[11].value == -129);
    const struct part_map *map = map_of(scene, 1);
    for (size_t i = 0; i < CELLS; i++)
        assert_true(map->cells[i].value == (i == CELLS - 1 ? -129 : 0));
    assert_int_equal(map->cells[20].flags, CELL_CURSOR);
    assert_true(map->reach == 129);
    assert_int_equal(scene->step->axis_count, 3);
    assert_string_equal(scene->step->view->alt, "x and second, (2, 3, 4) each: they differ: the largest difference is 129.");
    scene_free(scene);

    scene = look(pairs, "same", 1, 2, 1);
    table = rows_of_pair(scene);
    assert_true(table->cells[0].flags & CELL_EDITABLE && !(table->cells[4].flags & CELL_EDITABLE));
    scene_free(scene);
}

static void compare_hides(void **state)
{
    (void)state;
    struct scene *scene = look(pairs, "q", 1, 1, 1);
    const struct part_table *table = rows_of_pair(scene);
    for (size_t i = 0; i < 12; i++) {
        assert_int_equal((table->cells[i].flags & CELL_HIDDEN) != 0, i >= 4);
        assert_int_equal(isnan(table->cells[i].value) != 0, i >= 4);
    }
    assert_string_equal(scene->step->view->alt, "first and moved, (4,) each.");
    scene_free(scene);
    scene = look(pairs, "several", 1, 1, 1);
    assert_true(map_of(scene, 1)->reach == 1);
    for (size_t i = 0; i < CELLS; i++)
        assert_string_equal(map_of(scene, 1)->cells[i].text, "?");
    assert_null(strstr(scene->step->view->alt, "129"));
    scene_free(scene);
}

/* ---- what cannot be shown ---- */

static void what_is_refused(void **state)
{
    (void)state;
    static const struct { const char *view, *words; } cases[] = {
        { "view.axes { 'tensor.ones { 1, 2, 3, 4 }', over = 'feature' }",
          "view.axes shows a tensor of 1 to 3 axes; this is one of 4: (1, 2, 3, 4)" },
        { "view.heat { 'tensor.ones { 1, 2, 3, 4 }' }", "view.heat shows a tensor of 1 to 3 axes; this is one of 4: (1, 2, 3, 4)" },
        { "view.heat { '2' }", "view.heat: its entry must come to a tensor with elements, not a number" },
        { "view.axes { 'x', over = '\"tokens\"' }", "view.axes: `over`: no axis \"tokens\"" },
        { "view.axes { 'x', over = 'tokens' }", "view.axes: `over`: no axis \"tokens\": there are batch, token, feature" },
        { "view.plot { over = { 's', 0, 1 }, lines = { { 's' }, { 's * x' } } }", "view.plot: `lines.2` must come to a number, not a tensor of shape (2, 3, 4)" },
        { "view.plot { over = { 's', 0, 1 }, lines = { { 's' }, { 'nil' } } }", "view.plot: `lines.2` must come to a number, not a nil value" },
        { "view.axes { 'x', over = { 'batch', 'batch' } }", "view.axes: `over`: " },
        { "view.axes { 'x', over = '{}' }", "view.axes: `over`: it names no axis" },
        { "view.axes { 'x', over = '0' }", "view.axes: `over`: " },
        { "view.axes { 'x', over = function(d) end }", "view.axes: `over`: it must come to an axis, a list of axes or \"all\", not to nil" },
        { "view.compare { 'x' }", "view.compare needs two entries" },
        { "view.compare { 'x', 'x', 'x' }", "view.compare needs two entries" },
        { "view.compare { 'x', 'x[1]' }", "view.compare needs two tensors of one shape, not (2, 3, 4) and (3, 4)" },
        { "view.compare { 'x', 'x[3]' }", "view.compare: `show`: index 3 is outside 1 to 2 of axis batch" },
        { "view.compare { 'tensor.ones { 1, 1, 1, 1 }', 'x' }", "view.compare shows a tensor of 1 to 3 axes; this is one of 4: (1, 1, 1, 1)" },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        char source[1000];
        snprintf(source, sizeof source, "return lesson 'try' { format = 1, title = 't',\n" DATA "step 's' { text = '',\nshow = %s } }", cases[i].view);
        struct request request = help_frame(source, "s");
        struct scene *scene = help_ask(&request);
        if (!scene->error || !strstr(scene->error, cases[i].words) || strncmp(scene->error, "lessons/try.lua:5: ", 19))
            fail_msg("%s: %s", cases[i].view, scene->error ? scene->error : "no error");
        scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_and_means),   cmocka_unit_test(axes_and_labels), cmocka_unit_test(axes_hide),
        cmocka_unit_test(shades),           cmocka_unit_test(compares_rows),   cmocka_unit_test(compares_tensors),
        cmocka_unit_test(compare_hides),    cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests_name("engine: maps and comparisons", tests, NULL, NULL);
}
