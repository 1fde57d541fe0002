/* A console's lines: each request carries all that was kept, so any engine gives the same. */
#include "engine_help.h"

static struct request line(const char *source, const char *const *lines, size_t count)
{
    struct request request = help_request(REQUEST_LINE, source);
    request.file = "line";
    request.lines = lines;
    request.line_count = count;
    return request;
}

static void same_in_a_fresh_engine(void **state)
{
    (void)state;
    static const char *const lines[] = { "x = random:normal{4}", "local y, s = nn.layer_norm(x)", "n = 1; error('no')", "function f() n = n + 1 return n end",
                                         "f(), f()", "y * n", "print(s.mean) return x", "x:nothing()" };
    struct engine *engine = help_engine();
    for (size_t i = 0; i < HELP_COUNT(lines); i++) {
        struct request request = line(lines[i], lines, i);
        struct scene *kept = engine_answer(engine, &request);
        struct strbuf a = help_bytes(kept), b = help_ask_bytes(&request);
        assert_int_equal(kept->typed, TYPED_KEPT);
        help_same(&a, &b);
        scene_free(kept);
        strbuf_free(&a);
        strbuf_free(&b);
    }
    engine_free(engine);
}

static void other_lines_are_another_session(void **state)
{
    (void)state;
    static const char *const first[] = { "x = 1" }, *const other[] = { "y = 2" };
    struct engine *engine = help_engine();
    struct request request = line("x", first, 1);
    struct scene *scene = engine_answer(engine, &request);
    assert_string_equal(scene->output, "1\n");
    scene_free(scene);
    request = line("x", other, 1);
    scene = engine_answer(engine, &request);
    assert_non_null(strstr(scene->error, "unknown name `x`"));
    scene_free(scene);
    request = help_request(REQUEST_EVAL, "return y");
    scene = engine_answer(engine, &request);
    assert_non_null(strstr(scene->error, "unknown name `y`"));
    scene_free(scene);
    engine_free(engine);
}

static void what_is_not_complete_is_not_run(void **state)
{
    (void)state;
    static const char *const open[] = { "x = {", "function f()", "print('a') print(", "x =", "1 +", "x = [[a", "--[[ a", "if x then\nprint(1)", "tensor {\n1," };
    static const char *const closed[] = { "x = = 1", "1 +* 2", "end", "x = 'a", "}", "x = {} -- {", "\"{\"" };
    for (size_t i = 0; i < HELP_COUNT(open) + HELP_COUNT(closed); i++) {
        bool is_open = i < HELP_COUNT(open);
        struct request request = line(is_open ? open[i] : closed[i - HELP_COUNT(open)], NULL, 0);
        struct scene *scene = help_ask(&request);
        if ((scene->typed == TYPED_OPEN) != is_open)
            fail_msg("%s", request.source);
        if (is_open) {
            assert_null(scene->error);
            assert_string_equal(scene->output, "");
        }
        scene_free(scene);
    }
}

static void time_that_runs_out(void **state)
{
    (void)state;
    static const char *const slow[] = { "x = 1", "for i = 1, 1e12 do end" };
    struct engine_limits limits = { .cpu_seconds = 0.1 };
    struct engine *engine;
    struct error err;
    assert_int_equal(engine_new(&engine, &limits, &err), 0);
    struct request request = line(slow[1], slow, 1);
    struct scene *scene = engine_answer(engine, &request);
    assert_int_equal(scene->typed, TYPED_LOST);
    assert_non_null(scene->error);
    scene_free(scene);
    request = line("x", slow, 2);
    scene = engine_answer(engine, &request);
    assert_int_equal(scene->typed, TYPED_COLD);
    scene_free(scene);
    request = line("x", slow, 1);
    scene = engine_answer(engine, &request);
    assert_int_equal(scene->typed, TYPED_KEPT);
    assert_string_equal(scene->output, "1\n");
    scene_free(scene);
    engine_free(engine);
}

static void has(const struct strings *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (!strcmp(names->item[i], name))
            return;
    fail_msg("%s is not among the names", name);
}

static void names_that_may_be_typed(void **state)
{
    (void)state;
    static const char *const lines[] = { "width = 4", "stats = { mean = 1, [2] = 3 }" };
    static const char *const wanted[] = { "width", "stats", "stats.mean", "tensor.zeros", "nn.layer_norm", ":mean", ":normal", ".shape", "sqrt", "random" };
    struct request request = line("", lines, 2);
    struct scene *scene = help_ask(&request);
    assert_non_null(scene->scratch);
    for (size_t i = 0; i < HELP_COUNT(wanted); i++)
        has(&scene->scratch->names, wanted[i]);
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_in_a_fresh_engine), cmocka_unit_test(other_lines_are_another_session),
        cmocka_unit_test(what_is_not_complete_is_not_run), cmocka_unit_test(time_that_runs_out),
        cmocka_unit_test(names_that_may_be_typed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
