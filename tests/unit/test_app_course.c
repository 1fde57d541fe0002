/* A course on disk: what it wants to know, what it remembers, what it refuses. */
#include "app_help.h"

#include <fcntl.h>

static struct store *store;

static int make_course(void **state)
{
    (void)state;
    app_write("course/course.lua", "course");
    app_write("course/one.lua", "one");
    app_write("course/two.lua", "two");
    system("rm -rf course/shared; rm -f progress.db*");
    store = store_open("progress.db");
    return store ? 0 : -1;
}

static int drop_course(void **state)
{
    (void)state;
    store_close(store);
    return 0;
}

static struct course *open_course(void)
{
    struct course *course;
    assert_int_equal(course_new_folder(&course, "course", "lessons", false, NULL), 0);
    course_recall(course, store);
    return course;
}

static void expect_want(struct course *course, long wanted, const char *file)
{
    struct lesson_text text;
    struct request request;
    long what = 99;
    assert_true(course_wants(course, &what));
    assert_int_equal(what, wanted);
    assert_int_equal(course_request(course, what, &text, &request), 0);
    assert_string_equal(request.file, file);
    assert_int_equal(request.kind, wanted < 0 ? REQUEST_COURSE : REQUEST_LESSON);
    lesson_text_free(&text);
}

static void learn(struct course *course)
{
    long what;
    expect_want(course, -1, "lessons/course.lua");
    course_take(course, -1, app_course_scene(), store);
    expect_want(course, 0, "lessons/one.lua");
    course_take(course, 0, app_lesson_scene("one", ""), store);
    expect_want(course, 1, "lessons/two.lua");
    course_take(course, 1, app_lesson_scene("two", ""), store);
    assert_false(course_wants(course, &what));
}

static void wants_each_thing_once_and_remembers_it(void **state)
{
    (void)state;
    long what;
    struct course *course = open_course();
    learn(course);
    assert_string_equal(course_id(course), "norms");
    assert_int_equal(course_find(course, "two"), 1);
    assert_int_equal(course_find(course, "three"), -1);
    course_free(course);
    course = open_course();
    assert_false(course_wants(course, &what)); /* all of it was in the catalogue */
    assert_string_equal(course_outline(course, 1)->id, "two");
    course_free(course);
}

static void a_changed_file_is_asked_about_again(void **state)
{
    (void)state;
    long what;
    struct course *course = open_course();
    learn(course);
    course_free(course);
    app_write("course/two.lua", "two, longer");
    course = open_course();
    assert_true(course_wants(course, &what));
    assert_int_equal(what, 1);
    course_free(course);
}

static void a_changed_module_is_a_change_of_every_lesson(void **state)
{
    (void)state;
    long what;
    struct course *course = open_course();
    learn(course);
    course_free(course);
    assert_int_equal(mkdir("course/shared", 0755), 0);
    app_write("course/shared/blocks.lua", "return {}");
    course = open_course();
    assert_true(course_wants(course, &what));
    assert_int_equal(what, -1);
    course_free(course);
}

/* Changed between being read and being answered: the old answer is not the new file's. */
static void a_file_that_changes_meanwhile_is_asked_about_again(void **state)
{
    (void)state;
    long what;
    struct course *course = open_course();
    expect_want(course, -1, "lessons/course.lua");
    app_write("course/course.lua", "another course");
    course_take(course, -1, app_course_scene(), store);
    course_free(course);
    course = open_course();
    assert_true(course_wants(course, &what));
    assert_int_equal(what, -1);
    course_free(course);
}

static void what_is_wrong_stays_with_the_lesson(void **state)
{
    (void)state;
    long what;
    struct course *course = open_course();
    course_take(course, -1, app_course_scene(), store);
    struct scene *broken = app_scene();
    broken->error = "lessons/one.lua:3: unknown field";
    course_take(course, 0, broken, store);
    assert_string_equal(course->lessons[0].error, "lessons/one.lua:3: unknown field");
    assert_true(course_wants(course, &what));
    assert_int_equal(what, 1); /* the others are not held up */
    unlink("course/two.lua");
    struct lesson_text text;
    struct request request;
    assert_int_equal(course_request(course, 1, &text, &request), -1);
    assert_non_null(course->lessons[1].error);
    assert_false(course_wants(course, &what));
    course_free(course);
}

static void rubbish_from_the_worker_is_an_error(void **state)
{
    (void)state;
    long what;
    struct course *course = open_course();
    course_take(course, -1, app_lesson_scene("one", ""), store);
    assert_non_null(course->error);
    assert_false(course_wants(course, &what));
    course_free(course);
}

static void a_lesson_may_stand_alone(void **state)
{
    (void)state;
    long what;
    struct course *course;
    assert_int_equal(course_new_alone(&course, "course/one.lua", NULL), 0);
    assert_string_equal(course_id(course), "");
    assert_string_equal(course->lessons[0].id, "one");
    assert_true(course_wants(course, &what));
    assert_int_equal(what, 0);
    course_free(course);
}

static void a_lesson_carries_the_modules_beside_it(void **state)
{
    (void)state;
    struct lesson_text text;
    struct error err;
    assert_int_equal(mkdir("course/shared", 0755), 0);
    app_write("course/shared/norms.lua", "N");
    app_write("course/shared/blocks.lua", "BB");
    app_write("course/shared/notes.txt", "no Lua");
    app_write("course/shared/.hidden.lua", "hidden");
    assert_int_equal(lesson_text_read(&text, "course/one.lua", &err), 0);
    assert_string_equal(text.source, "one");
    assert_int_equal(text.shared_count, 2);
    assert_string_equal(text.shared[0].name, "blocks");
    assert_string_equal(text.shared[0].text, "BB");
    assert_string_equal(text.shared[1].name, "norms");
    lesson_text_free(&text);
}

static void what_no_request_may_carry_is_refused(void **state)
{
    (void)state;
    struct lesson_text text;
    struct error err = {0};
    assert_int_equal(truncate("course/one.lua", LESSON_TEXT_MAX + 1), 0);
    assert_int_equal(lesson_text_read(&text, "course/one.lua", &err), -1);
    assert_true(err.text[0] != '\0');
    assert_int_equal(truncate("course/one.lua", LESSON_TEXT_MAX), 0);
    assert_int_equal(lesson_text_read(&text, "course/one.lua", &err), 0);
    lesson_text_free(&text);
    assert_int_equal(mkdir("course/shared", 0755), 0);
    for (int i = 0; i < 4; i++) {
        char path[64];
        snprintf(path, sizeof path, "course/shared/m%d.lua", i);
        app_write(path, "");
        assert_int_equal(truncate(path, LESSON_TEXT_MAX), 0);
    }
    assert_int_equal(lesson_text_read(&text, "course/one.lua", &err), -1);
    assert_int_equal(lesson_text_read(&text, "course", &err), -1);
    assert_int_equal(lesson_text_read(&text, "course/none.lua", &err), -1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_course, drop_course)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(wants_each_thing_once_and_remembers_it),
        TEST(a_changed_file_is_asked_about_again),
        TEST(a_changed_module_is_a_change_of_every_lesson),
        TEST(a_file_that_changes_meanwhile_is_asked_about_again),
        TEST(what_is_wrong_stays_with_the_lesson),
        TEST(rubbish_from_the_worker_is_an_error),
        TEST(a_lesson_may_stand_alone),
        TEST(a_lesson_carries_the_modules_beside_it),
        TEST(what_no_request_may_carry_is_refused),
    };
    return cmocka_run_group_tests_name("course", tests, app_enter_folder, app_leave_folder);
}
