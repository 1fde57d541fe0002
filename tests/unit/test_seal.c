/* What a lesson may still change of itself once it has been checked: nothing. */
#include "engine_help.h"

static struct scene *step_of(const char *source, const char *answer)
{
    struct request request = help_frame(source, "s");
    request.answer = answer;
    request.sure = 2;
    return help_step(&request);
}

static void raises(const char *source, const char *words)
{
    struct request request = help_frame(source, "s");
    struct scene *scene = help_ask(&request);
    if (!scene->error || strcmp(scene->error, words))
        fail_msg("%s\nraises %s\nnot %s", source, scene->error ? scene->error : "nothing", words);
    scene_free(scene);
}

/* Enough new tables that whatever nobody holds any more is collected. */
#define COLLECT "local kept = {} for i = 1, 200000 do kept[i % 100] = { i } end "

static void fields_stay(void **state)
{
    (void)state;
    struct scene *scene = step_of("local f = { text = 'as it was {g()}' }\n"
                                  "return lesson 'try' { format = 1, title = 't', step 's' (f), define = { g = function()\n"
                                  "for k in pairs(f) do f[k] = nil end f.text, f.title, f.knobs = {}, 5, { 1 } return 1 end } }", NULL);
    assert_string_equal(scene->step->text, "as it was 1");
    scene_free(scene);
}

static void parts_stay(void **state)
{
    (void)state;
    struct scene *scene = step_of("local p = { format = 1, title = 't' }\n"
                                  "local q = { text = 't', why = 'w', answer = 2 }\n"
                                  "q[1] = mistake 'm' { by = function() p[1], q[1] = nil, nil " COLLECT "return 3 end, say = 'as it was' }\n"
                                  "local same = { text = 't' }\n"
                                  "p[1], p[2], p[3] = ask.number 's' (q), step 'a' (same), step 'b' (same)\n"
                                  "return lesson 'try' (p)", "3");
    assert_string_equal(scene->step->question->mistake, "m");
    assert_string_equal(scene->step->question->say, "as it was");
    scene_free(scene);
}

static void lists_stay(void **state)
{
    (void)state;
    struct scene *scene = step_of("local names, list = { 'as it was', 'b' }, {}\n"
                                  "list[1] = view.bars { function() names[1], names[2], list[1], list[2] = nil, {}, nil, nil return tensor { 1, 2 } end, names = names }\n"
                                  "list[2] = view.bars { 'tensor { 3, 4 }' }\n"
                                  "return lesson 'try' { format = 1, title = 't', step 's' { text = 't', show = view.column(list) } }", NULL);
    assert_int_equal(scene->step->view->child_count, 2);
    assert_int_equal(scene->step->view->children[1].part_count, 1);
    scene_free(scene);
}

static void views_that_a_function_makes_stay(void **state)
{
    (void)state;
    struct scene *scene = step_of("return lesson 'try' { format = 1, title = 't', step 's' { text = 't', show = function()\n"
                                  "local f = {} f[1] = function() f[1], f.names = nil, 5 return tensor { 1, 2 } end f.names = { 'a', 'b' }\n"
                                  "return view.bars(f) end } }", NULL);
    assert_int_equal(scene->step->view->part_count, 1);
    scene_free(scene);
}

/* A metatable answers for no field. */
static void fields_are_what_they_hold(void **state)
{
    (void)state;
    raises("return lesson 'try' (setmetatable({ format = 1, step 's' { text = 't' } }, { __index = function() return 'x' end }))",
           "lessons/try.lua:1: lesson \"try\" needs the field `title`");
}

static void shapes_stay_shapes(void **state)
{
    (void)state;
    struct scene *scene = step_of("return lesson 'try' { format = 1, title = 't',\n"
                                  "ask.shape 's' { text = 't', why = 'w', answer = tensor { 1, 2 }.shape } }", "(2)");
    assert_int_equal(scene->step->question->verdict, VERDICT_RIGHT);
    scene_free(scene);
}

static void what_holds_itself_is_refused(void **state)
{
    (void)state;
    raises("local v = { view.bars { 'tensor { 1 }' } }\nv[2] = view.column(v)\nreturn lesson 'try' { format = 1, title = 't', step 's' { text = 't', show = v[2] } }",
           "lessons/try.lua:2: a construct holds itself");
    raises("local t = {}\nt.t = t\nreturn lesson 'try' { format = 1, title = 't', given = t, step 's' { text = 't' } }", "lessons/try.lua:3: a table holds itself");
    raises("local v = view.bars { 'tensor { 1 }' }\nfor i = 1, 5000 do v = view.row { v } end\nreturn lesson 'try' { format = 1, title = 't', step 's' { text = 't', show = v } }",
           "lessons/try.lua:2: this is nested too deep");
    raises("return lesson 'try' { format = 1, title = 't', step 's' { text = 't',\nshow = function() local v = view.bars { 'tensor { 1 }' }\n"
           "for i = 1, 5000 do v = view.row { v } end return v end } }", "lessons/try.lua:3: this is nested too deep");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_stay),
        cmocka_unit_test(parts_stay),
        cmocka_unit_test(lists_stay),
        cmocka_unit_test(views_that_a_function_makes_stay),
        cmocka_unit_test(fields_are_what_they_hold),
        cmocka_unit_test(shapes_stay_shapes),
        cmocka_unit_test(what_holds_itself_is_refused),
    };
    return cmocka_run_group_tests_name("seal", tests, NULL, NULL);
}
