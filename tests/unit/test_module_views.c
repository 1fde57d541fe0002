/* What stands in a scene about a module: which tokens move its output, which probes it passes. */
#include "probe_help.h"

enum { ELEMENTS = LEAK_SAMPLES * LEAK_TOKENS * LEAK_FEATURES };

/* ---- the leak table ---- */

static void push_x(struct bench *bench, const double *x, size_t count, int rank)
{
    const size_t extents[] = { LEAK_SAMPLES, LEAK_TOKENS, LEAK_FEATURES };
    struct error err;
    struct tensor **out = tensor_push(bench->engine->L);
    assert_int_equal(tensor_new(out, &bench->engine->memory, rank, extents + 3 - rank, NULL, &err), 0);
    for (size_t i = 0; i < count; i++)
        tensor_set_flat(*out, i, (float)x[i]);
}

static void call_module(struct bench *bench, int module, const double *x, double *y)
{
    static const double ones[] = { 1, 1, 1, 1, 1 }, zeros[5] = { 0 };
    lua_State *L = bench->engine->L;
    lua_pushvalue(L, module);
    push_x(bench, x, ELEMENTS, 3);
    push_x(bench, ones, 5, 1);
    push_x(bench, zeros, 5, 1);
    lua_pushnumber(L, 1e-5);
    lua_call(L, 4, 1);
    for (size_t i = 0; i < ELEMENTS; i++)
        y[i] = (double)tensor_get_flat(tensor_check(L, -1), i);
    lua_pop(L, 1);
}

/* moved[i][o]: whether the input element i moves the output element o. */
static void move_everything(struct bench *bench, int module, bool moved[ELEMENTS][ELEMENTS])
{
    double x[ELEMENTS], y[ELEMENTS], z[ELEMENTS];
    for (size_t i = 0; i < ELEMENTS; i++)
        x[i] = 3 * sin(1.7 * (double)i * (double)i + 0.3);
    call_module(bench, module, x, y);
    for (size_t i = 0; i < ELEMENTS; i++) {
        double was = x[i];
        x[i] += 2.3;
        call_module(bench, module, x, z);
        x[i] = was;
        for (size_t o = 0; o < ELEMENTS; o++)
            moved[i][o] = fabs(z[o] - y[o]) > 1e-5;
    }
}

static void the_leak_table_is_that_of_brute_force_at_every_place(void **state)
{
    (void)state;
    static const char *const modules[] = { "right", "A", "B", "C", "D", "E", "J", "N", "R", "S", "V", "only_one", "carried" };
    struct bench bench;
    bench_open(&bench);
    lua_State *L = bench.engine->L;
    for (size_t m = 0; m < HELP_COUNT(modules); m++) {
        bool moved[ELEMENTS][ELEMENTS];
        push_module(&bench, modules[m]);
        int module = lua_gettop(L);
        move_everything(&bench, module, moved);
        for (uint64_t key = 0; key < 10; key++)
            for (size_t own = 0; own < 12; own++) {
                enum leak cells[12];
                const char *error;
                assert_true(leak_run(bench.engine, module, key, (uint32_t)(own / 3 + 1), (uint32_t)(own % 3 + 1), cells, &error));
                assert_null(error);
                for (size_t cell = 0; cell < 12; cell++) {
                    enum leak want = cell == own ? LEAK_ITSELF : LEAK_NONE;
                    for (size_t i = 0; i < 5 && cell != own; i++)
                        for (size_t o = 0; o < 5; o++)
                            if (moved[cell * 5 + i][own * 5 + o] && want != LEAK_MORE)
                                want = i == o ? LEAK_SAME : LEAK_MORE;
                    if (cells[cell] != want)
                        fail_msg("%s, key %d: output %d, input %d: %d, not %d", modules[m], (int)key, (int)own, (int)cell, (int)cells[cell], (int)want);
                }
            }
        lua_pop(L, 1);
    }
    bench_close(&bench);
}

static void a_module_that_raises_has_no_leak_table(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    lua_State *L = bench.engine->L;
    enum leak cells[12] = { LEAK_NONE };
    const char *error;
    push(&bench, "local n = 0; return function(x) n = n + 1; if n > 5 then error('enough') end; return x end");
    assert_false(leak_run(bench.engine, lua_gettop(L), 1, 1, 1, cells, &error));
    assert_string_equal(error, "it raised an error: lessons/try.lua:1: enough");
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(cells[i], LEAK_HIDDEN);
    push(&bench, "return function(x) return 1 end");
    assert_false(leak_run(bench.engine, lua_gettop(L), 1, 1, 1, cells, &error));
    assert_string_equal(error, "it returned a number, not a tensor of shape (4, 3, 5)");
    bench_close(&bench);
}

/* ---- the views ---- */

#define VIEW(show) LESSON("define = { over = function(axes) return function(x, s, b, e)\nreturn (x - x:mean(axes)) / sqrt(x:var(axes) + e) * s + b end end },\n" \
                          "data = function(random) return { drawn = random:integer(1, 1000000), x = random:normal { 2, 3, 4 } } end,\n" \
                          "step 'a' { text = 't', show = " show " },")

static void the_table_of_probes_stands_in_the_scene(void **state)
{
    (void)state;
    struct request request = help_frame(VIEW("view.probes { 'over(\"token\")', list = { 'companion', 'future', 'one_feature', 'tiny_row' } }"), "a");
    struct scene *scene = help_step(&request);
    const struct view *view = scene->step->view;
    assert_string_equal(view->name, "probes");
    assert_int_equal(view->part_count, 1);
    assert_int_equal(view->parts[0].kind, PART_TABLE);
    const struct part_table *table = &view->parts[0].as.table;
    assert_string_equal(table->corner, "probe");
    assert_int_equal(table->labels.count, 4);
    assert_int_equal(table->head.count, 3);
    assert_string_equal(table->head.item[1], "yours");
    assert_string_equal(table->head.item[2], "should be");
    assert_string_equal(table->labels.item[1], "a later token changed");
    assert_string_equal(table->cells[0].text, "passes");
    assert_int_equal(table->cells[0].flags, CELL_WORDS | CELL_PASSES);
    assert_string_equal(table->cells[1].text, "stays");
    assert_string_equal(table->cells[3].text, "fails");
    assert_int_equal(table->cells[3].flags, CELL_WORDS | CELL_FAILS);
    assert_memory_equal(table->cells[4].text, "moves by ", 9);
    assert_string_equal(table->cells[7].text, "1 of 5 moves");
    assert_int_equal(table->cells[7].flags, CELL_WORDS);
    assert_string_equal(table->cells[11].text, "1.183");
    assert_int_equal(table->cells[11].flags, 0);
    assert_string_equal(view->alt, "1 of 4 probes pass.");
    struct strbuf bytes = help_bytes(scene);
    strbuf_free(&bytes);
    scene_free(scene);
}

static void what_is_asked_stays_hidden(void **state)
{
    (void)state;
    struct request request = help_frame(
        LESSON("define = { f = function(x) return x end },\nask.choice 'a' { text = 't', why = 'w', hide = { 'yours', 'cells' }, option 'one' { 'o', right = true },\n"
               "option 'two' { 'p', say = 's' },\nshow = view.column { view.probes { 'f', list = { 'tiny_row', 'alone' } }, view.leak { 'f' } } },"), "a");
    struct scene *scene = help_step(&request);
    const struct view *children = scene->step->view->children;
    const struct part_table *table = &children[0].parts[0].as.table;
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(!!(table->cells[i].flags & CELL_HIDDEN), i % 3 != 2);
    const struct part_leak *leak = &children[1].parts[0].as.leak;
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(leak->cells[i], LEAK_HIDDEN);
    assert_null(strstr(scene->step->view->alt, "pass."));
    assert_null(strstr(scene->step->view->alt, "other token"));
    scene_free(scene);
    request.answer = "one";
    scene = help_step(&request);
    table = &scene->step->view->children[0].parts[0].as.table;
    assert_string_equal(table->cells[0].text, "fails");
    assert_string_equal(table->cells[3].text, "passes");
    assert_int_equal(scene->step->view->children[1].parts[0].as.leak.cells[1], LEAK_NONE);
    scene_free(scene);
}

static void the_cursor_walks_through_the_leak_table(void **state)
{
    (void)state;
    struct request request = help_frame(VIEW("view.leak { 'over(\"token\")' }"), "a");
    struct cursor cursors[] = { { "batch", 2 }, { "token", 3 } };
    struct scene *scene = help_step(&request);
    assert_int_equal(scene->step->axis_count, 2);
    assert_string_equal(scene->step->axes[0].name, "batch");
    assert_int_equal(scene->step->axes[0].size, LEAK_SAMPLES);
    assert_string_equal(scene->step->axes[1].name, "token");
    assert_int_equal(scene->step->axes[1].size, LEAK_TOKENS);
    assert_string_equal(scene->step->view->alt,
                        "2 of the 11 other tokens move the output of token 1 of sample 1.");
    scene_free(scene);
    request.cursors = cursors;
    request.cursor_count = 2;
    scene = help_step(&request);
    const struct part_leak *leak = &scene->step->view->parts[0].as.leak;
    assert_int_equal(scene->step->view->parts[0].kind, PART_LEAK);
    assert_int_equal(leak->samples, LEAK_SAMPLES);
    assert_int_equal(leak->tokens, LEAK_TOKENS);
    assert_int_equal(leak->sample, 2);
    assert_int_equal(leak->token, 3);
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(leak->cells[i], i == 5 ? LEAK_ITSELF : i == 3 || i == 4 ? LEAK_SAME : LEAK_NONE);
    struct strbuf bytes = help_bytes(scene);
    strbuf_free(&bytes);
    scene_free(scene);
}

static void a_leak_table_says_what_it_shows(void **state)
{
    (void)state;
    static const struct {
        const char *show, *alt;
    } views[] = {
        { "view.leak { 'over(\"feature\")', at = { 2, 2 } }", "No other token moves the output of token 2 of sample 2." },
        { "view.leak { 'over(\"all\")', at = '{ 4, 3 }' }", "11 of the 11 other tokens move the output of token 3 of sample 4." },
        { "view.leak { 'over { \"token\", \"feature\" }', at = { 1, 1 } }",
          "2 of the 11 other tokens move the output of token 1 of sample 1." },
        { "view.leak { function() return function() return 1 end end, at = { 1, 1 } }",
          "What moves the module's output cannot be said: it returned a number, not a tensor of shape (4, 3, 5)" },
        { "view.leak { 'over(\"batch\")', at = { 1, 1 }, alt = 'mine' }", "mine" },
    };
    for (size_t i = 0; i < HELP_COUNT(views); i++) {
        char *source = NULL;
        assert_true(asprintf(&source, VIEW("%s"), views[i].show) > 0);
        struct request request = help_frame(source, "a");
        struct scene *scene = help_step(&request);
        assert_string_equal(scene->step->view->alt, views[i].alt);
        assert_int_equal(scene->step->axis_count, 0);
        scene_free(scene);
        free(source);
    }
}

static void wrong_views_are_the_lessons_errors(void **state)
{
    (void)state;
    static const struct {
        const char *show, *error;
    } views[] = {
        { "view.leak { 'x' }", "view.leak: its entry must come to a function of (x, scale, bias, eps), not a tensor of shape (2, 3, 4)" },
        { "view.probes { '3', list = { 'past' } }", "view.probes: its entry must come to a function of (x, scale, bias, eps), not a number" },
        { "view.leak { 'over(\"all\")', at = { 5, 1 } }", "view.leak: `at` must come to { sample, token }: whole numbers from 1, up to 4 and 3" },
        { "view.leak { 'over(\"all\")', at = '1' }", "view.leak: `at` must come to { sample, token }" },
        { "view.probes { 'over(\"all\")', list = { 'past' }, seed = '\"a\"' }", "`seed` must come to a number" },
    };
    for (size_t i = 0; i < HELP_COUNT(views); i++) {
        char *source = NULL;
        assert_true(asprintf(&source, VIEW("%s"), views[i].show) > 0);
        struct request request = help_frame(source, "a");
        struct scene *scene = help_ask(&request);
        if (!scene->error || !strstr(scene->error, views[i].error) || strncmp(scene->error, "lessons/try.lua:", 16))
            fail_msg("%s: %s", views[i].show, scene->error ? scene->error : "no error");
        scene_free(scene);
        free(source);
    }
}

static char *moved_text(const char *show, uint64_t seed, uint32_t attempt, uint64_t run)
{
    char *source = NULL;
    assert_true(asprintf(&source, VIEW("%s"), show) > 0);
    struct request request = help_frame(source, "a");
    request.seed = seed;
    request.attempt = attempt;
    request.run = run;
    struct scene *scene = help_step(&request);
    char *text = strdup(scene->step->view->parts[0].as.table.cells[1].text);
    scene_free(scene);
    free(source);
    return text;
}

static void inputs_are_the_learners_or_those_of_the_seed_given(void **state)
{
    (void)state;
    static const char own[] = "view.probes { 'over(\"batch\")', list = { 'companion' } }";
    static const char fixed[] = "view.probes { 'over(\"batch\")', list = { 'companion' }, seed = 7 }";
    static const char drawn[] = "view.probes { 'over(\"batch\")', list = { 'companion' }, seed = 'drawn' }";
    static const struct {
        const char *show;
        uint64_t seed;
        uint32_t attempt;
        uint64_t run;
        bool same; /* as for seed 1, attempt 0, run 0 */
    } asked[] = { { own, 1, 0, 0, true },   { own, 2, 0, 0, false },  { own, 1, 1, 0, false },  { own, 1, 0, 1, false },
                  { fixed, 1, 0, 0, true }, { fixed, 2, 0, 0, true }, { fixed, 1, 0, 1, true }, { drawn, 2, 0, 0, false }, { drawn, 1, 0, 1, true } };
    for (size_t i = 0; i < HELP_COUNT(asked); i++) {
        char *first = moved_text(asked[i].show, 1, 0, 0), *text = moved_text(asked[i].show, asked[i].seed, asked[i].attempt, asked[i].run);
        assert_int_equal(!strcmp(first, text), asked[i].same);
        free(first);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_leak_table_is_that_of_brute_force_at_every_place),
        cmocka_unit_test(a_module_that_raises_has_no_leak_table),
        cmocka_unit_test(the_table_of_probes_stands_in_the_scene),
        cmocka_unit_test(what_is_asked_stays_hidden),
        cmocka_unit_test(the_cursor_walks_through_the_leak_table),
        cmocka_unit_test(a_leak_table_says_what_it_shows),
        cmocka_unit_test(wrong_views_are_the_lessons_errors),
        cmocka_unit_test(inputs_are_the_learners_or_those_of_the_seed_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
