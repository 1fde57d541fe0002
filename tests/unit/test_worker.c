/* The real worker in its cage: this program, started again, runs it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "cage/cage.h"
#include "engine/worker.h"

static struct cage *cage;

static int open_cage(void **state)
{
    (void)state;
    struct error err;
    return cage_open(&cage, &(struct cage_options){ .cpu_seconds = 1 }, &err);
}

static int close_cage(void **state)
{
    (void)state;
    cage_close(cage);
    return 0;
}

static int eval(const char *source, struct scene **scene, struct error *err)
{
    struct request request = { .kind = REQUEST_EVAL, .course = "", .file = "try.lua", .source = source,
                               .source_length = strlen(source) };
    return cage_ask(cage, &request, scene, err);
}

static void assert_alive(void)
{
    struct scene *scene;
    struct error err;
    assert_int_equal(eval("print(6 * 7)", &scene, &err), 0);
    assert_null(scene->error);
    assert_string_equal(scene->output, "42\n");
    assert_string_equal(err.text, "");
    scene_free(scene);
}

static void it_answers(void **state)
{
    (void)state;
    assert_alive();
}

static void errors_are_scenes(const char *source, const char *words)
{
    struct scene *scene;
    struct error err;
    if (eval(source, &scene, &err) < 0)
        fail_msg("%s", err.text);
    assert_non_null(scene->error);
    if (!strstr(scene->error, words))
        fail_msg("\"%s\" does not say \"%s\"", scene->error, words);
    scene_free(scene);
    assert_alive();
}

static void lua_errors_name_their_line(void **state)
{
    (void)state;
    errors_are_scenes("\nerror('no')", "try.lua:2: no");
}

static void a_lua_loop_names_its_line(void **state)
{
    (void)state;
    errors_are_scenes("\n\nwhile true do pcall(function() while true do end end) end", "try.lua:3");
}

static void a_memory_bomb_names_its_line(void **state)
{
    (void)state;
    errors_are_scenes("local s = 'x'\nwhile true do s = s .. s end", "try.lua:2: the lesson needs more memory");
}

static void a_loop_that_lua_cannot_see_is_killed(void **state)
{
    (void)state;
    struct scene *scene;
    struct error err;
    assert_int_equal(eval("local function f()\nreturn (string.find(('a'):rep(2000), ('a-'):rep(4) .. 'b'))\nend\nprint(f())", &scene, &err), -1);
    assert_string_equal(err.text, "try.lua:2: the computation took longer than 1 s of processor time and was stopped.");
    assert_alive();
}

static void the_same_request_gives_the_same_scene_in_a_new_worker(void **state)
{
    (void)state;
    static const char source[] = "print(tensor{1, 2, 3} / 3)";
    struct scene *first, *second;
    struct error err;
    assert_int_equal(eval(source, &first, &err), 0);
    cage_send(cage, &(struct request){ .kind = REQUEST_EVAL, .course = "", .file = "", .source = "", });
    cage_cancel(cage);
    assert_int_equal(eval(source, &second, &err), 0);
    assert_string_equal(first->output, second->output);
    scene_free(first);
    scene_free(second);
}

static void it_refuses_to_be_called_by_hand(void **state)
{
    (void)state;
    char *none[] = { "normtutor", "engine", NULL };
    char *wrong[] = { "normtutor", "engine", "1", "ajar", "2000", "", NULL };
    assert_int_equal(worker_main(2, none), 2);
    assert_int_equal(worker_main(6, wrong), 2);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "engine"))
        return worker_main(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_answers),
        cmocka_unit_test(lua_errors_name_their_line),
        cmocka_unit_test(a_lua_loop_names_its_line),
        cmocka_unit_test(a_memory_bomb_names_its_line),
        cmocka_unit_test(a_loop_that_lua_cannot_see_is_killed),
        cmocka_unit_test(the_same_request_gives_the_same_scene_in_a_new_worker),
        cmocka_unit_test(it_refuses_to_be_called_by_hand),
    };
    return cmocka_run_group_tests_name("worker", tests, open_cage, close_cage);
}
