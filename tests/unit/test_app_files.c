/* The files that a lesson declares: what may be opened, and when they go out with requests. */
#include "app_help.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include "app/desk.h"
#include "app/session.h"

static int open_descriptors(void)
{
    int count = 0;
    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static int make_files(void **state)
{
    if (app_enter_folder(state) || mkdir("course/files", 0755) || mkdir("course/files/deep", 0755) ||
        mkdir("other", 0755) || mkdir("linked", 0755))
        return -1;
    app_write("course/course.lua", "course");
    app_write("course/one.lua", "one");
    app_write("course/two.lua", "two");
    app_write("course/secret", "secret");
    app_write("course/files/poem.txt", "roses");
    app_write("course/files/deep/note.md", "a note");
    app_write("other/note.md", "not below");
    app_write("linked/one.lua", "one");
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "course/files/socket"};
    int listening = socket(AF_UNIX, SOCK_STREAM, 0);
    return symlink("../secret", "course/files/link") || symlink("poem.txt", "course/files/link-inside") ||
           symlink("../../other", "course/files/folder-link") || symlink("../course/files", "linked/files") ||
           mkfifo("course/files/pipe", 0644) || bind(listening, (struct sockaddr *)&address, sizeof address) || close(listening);
}

static int open_names(struct lesson_files *files, const char *path, const char *label, const char *const *names, size_t count,
                      struct error *err)
{
    struct arena *arena = arena_new();
    struct strings list = app_list(arena, count, names);
    int status = lesson_files_open(files, path, label, &list, err);
    arena_free(arena);
    return status;
}

static void refuses(const char *path, const char *name, const char *words)
{
    struct lesson_files files;
    struct error err = {0};
    char wanted[512];
    const char *names[] = {"poem.txt", name};
    int before = open_descriptors();
    /* after a good one, which must not stay open */
    assert_int_equal(open_names(&files, path, "lessons/one.lua", names + (strcmp(path, "course/one.lua") != 0), strcmp(path, "course/one.lua") == 0 ? 2 : 1,
                                &err), -1);
    snprintf(wanted, sizeof wanted, "lessons/one.lua: files/%s cannot be read: %s", name, words);
    assert_string_equal(err.text, wanted);
    assert_int_equal(files.count, 0);
    assert_int_equal(open_descriptors(), before);
}

static void only_regular_files_below_the_folder_are_opened(void **state)
{
    (void)state;
    static const char no_name[] = "that is not the name of a file below files/", link[] = "it is a link, and links are not followed",
                      way[] = "a folder on the way is a link, and links are not followed", none[] = "there is no such file";
    static const struct {
        const char *name, *words;
    } attacks[] = {
        {"../secret", no_name}, {"deep/../../secret", no_name}, {"..", no_name}, {".", no_name}, {"", no_name}, {"/etc/passwd", no_name},
        {"deep//note.md", no_name}, {"deep/", no_name}, {"./poem.txt", no_name}, {"link", link}, {"link-inside", link}, {"folder-link", link},
        {"folder-link/note.md", way}, {"pipe", "it is not a regular file"}, {"socket", "it is not a regular file"},
        {"deep", "it is a folder, not a file"}, {"none.txt", none}, {"none/none.txt", none}, {"poem.txt/x", "Not a directory"},
    };
    for (size_t i = 0; i < sizeof attacks / sizeof attacks[0]; i++)
        refuses("course/one.lua", attacks[i].name, attacks[i].words);
    refuses("linked/one.lua", "poem.txt", way); /* the folder itself */
    refuses("other/one.lua", "poem.txt", none);
}

static void a_device_is_not_opened(void **state)
{
    (void)state;
    if (mknod("course/files/null", S_IFCHR | 0644, makedev(1, 3)) != 0)
        skip();
    refuses("course/one.lua", "null", "it is not a regular file");
    unlink("course/files/null");
}

static void a_request_bears_them_in_order(void **state)
{
    (void)state;
    const char *names[] = {"deep/note.md", "poem.txt"};
    struct lesson_files files;
    struct error err;
    struct request request = {0};
    char text[16] = "";
    int before = open_descriptors();
    assert_int_equal(open_names(&files, "course/one.lua", "one.lua", names, 2, &err), 0);
    lesson_files_to_request(&files, &request);
    assert_int_equal(request.file_count, 2);
    assert_string_equal(request.files[0].name, "deep/note.md");
    assert_int_equal(pread(request.files[0].fd, text, 15, 0), 6);
    assert_string_equal(text, "a note");
    assert_string_equal(request.files[1].name, "poem.txt");
    assert_int_equal(fcntl(request.files[1].fd, F_GETFL) & O_ACCMODE, O_RDONLY);
    assert_true(fcntl(request.files[1].fd, F_GETFD) & FD_CLOEXEC);
    lesson_files_free(&files);
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(chdir("course"), 0); /* a lesson named without a folder */
    assert_int_equal(open_names(&files, "one.lua", "one.lua", names, 2, &err), 0);
    lesson_files_free(&files);
    assert_int_equal(chdir(".."), 0);
}

static void the_stamp_follows_the_content(void **state)
{
    (void)state;
    const char *names[] = {"poem.txt"};
    struct lesson_files files;
    struct error err;
    struct request request = {0};
    char first[256];
    assert_int_equal(open_names(&files, "course/one.lua", "one.lua", names, 1, &err), 0);
    lesson_files_to_request(&files, &request);
    snprintf(first, sizeof first, "%s", request.files[0].stamp);
    lesson_files_to_request(&files, &request);
    assert_string_equal(request.files[0].stamp, first);
    usleep(20000); /* a clock tick of the file system */
    app_write("course/files/poem.txt", "tulip"); /* as long as it was */
    lesson_files_to_request(&files, &request);
    assert_string_not_equal(request.files[0].stamp, first);

    /* Replaced by a link after it was listed: what was opened stays what it was, and the link is not opened. */
    unlink("course/files/poem.txt");
    assert_int_equal(symlink("../secret", "course/files/poem.txt"), 0);
    char text[16] = "";
    assert_int_equal(pread(request.files[0].fd, text, 15, 0), 5);
    assert_string_equal(text, "tulip");
    lesson_files_free(&files);
    assert_int_equal(open_names(&files, "course/one.lua", "one.lua", names, 1, &err), -1);
    assert_non_null(strstr(err.text, "it is a link"));
    unlink("course/files/poem.txt");
    app_write("course/files/poem.txt", "roses");
}

/* ---- when they go out ---- */

static struct course *course_with_head(void)
{
    struct course *course;
    assert_int_equal(course_new_folder(&course, "course", "lessons", true, NULL), 0);
    course_take(course, -1, app_course_scene(), NULL);
    return course;
}

static struct scene *outline_with(const char *title, const char *const *files, size_t count)
{
    struct scene *scene = app_lesson_scene("one", "");
    scene->lesson->title = arena_text(scene->arena, title);
    scene->lesson->files = app_list(scene->arena, count, files);
    return scene;
}

static const char *const poem[] = {"poem.txt"}, *const gone[] = {"poem.txt", "gone.txt"};

static void expect_request(struct course *course, size_t files)
{
    struct lesson_text text;
    struct request request;
    long what;
    assert_true(course_wants(course, &what));
    assert_int_equal(what, 0);
    assert_int_equal(course_request(course, what, &text, &request), 0);
    assert_int_equal(request.file_count, files);
    lesson_text_free(&text);
}

static void the_course_asks_again_with_files(void **state)
{
    (void)state;
    int before = open_descriptors();
    struct store *store = store_open("progress.db");
    struct course *course = course_with_head();
    expect_request(course, 0);
    course_take(course, 0, outline_with("without", poem, 1), store);
    assert_true(course_halfway(course, 0));
    assert_null(course_outline(course, 0));
    expect_request(course, 1);
    course_take(course, 0, outline_with("with", poem, 1), store);
    assert_false(course_halfway(course, 0));
    assert_string_equal(course_outline(course, 0)->title, "with");
    course_free(course);

    course = course_with_head();
    course_recall(course, store); /* what the catalogue has was made with them */
    assert_string_equal(course_outline(course, 0)->title, "with");
    course_free(course);
    usleep(20000);
    app_write("course/files/poem.txt", "lilac");
    course = course_with_head();
    course_recall(course, store);
    assert_null(course_outline(course, 0));
    course_free(course);
    app_write("course/files/deep/note.md", "a note");
    store_close(store);
    assert_int_equal(open_descriptors(), before);
}

static void the_course_says_which_file_is_missing(void **state)
{
    (void)state;
    struct lesson_text text;
    struct request request;
    long what;
    struct course *course = course_with_head();
    expect_request(course, 0);
    course_take(course, 0, outline_with("t", gone, 2), NULL);
    assert_int_equal(course_request(course, 0, &text, &request), -1);
    assert_string_equal(course->lessons[0].error, "lessons/one.lua: files/gone.txt cannot be read: there is no such file");
    assert_false(course_halfway(course, 0));
    assert_true(course_wants(course, &what));
    assert_int_equal(what, 1);
    course_free(course);
}

static void a_course_that_changes_its_mind_is_not_asked_for_ever(void **state)
{
    (void)state;
    struct course *course = course_with_head();
    expect_request(course, 0);
    course_take(course, 0, outline_with("t", poem, 1), NULL);
    expect_request(course, 1);
    course_take(course, 0, outline_with("t", gone, 2), NULL);
    assert_false(course_halfway(course, 0));
    assert_non_null(course->lessons[0].error);
    course_free(course);
}

static uint64_t number = 1;

/* The engine's answer: with a step only to the files it declares. */
static enum session_took turn_around(struct session *s, const char *const *files, size_t count, const char **error)
{
    struct request request;
    session_request(s, &request);
    session_sent(s, ++number);
    bool right = request.file_count == count;
    for (size_t i = 0; right && i < count; i++)
        right = strcmp(request.files[i].name, files[i]) == 0;
    struct scene *scene = right && request.kind == REQUEST_FRAME ? app_reply(&request, number) : app_lesson_scene("one", "");
    scene->number = number;
    scene->lesson->files = app_list(scene->arena, count, files);
    session_files(s, scene);
    static char words[256];
    snprintf(words, sizeof words, "%s", scene->error ? scene->error : "");
    *error = words;
    return session_take(s, scene, NULL);
}

static void a_session_sends_what_the_outline_lists(void **state)
{
    (void)state;
    const char *error;
    struct session s;
    struct course *course = course_with_head();
    int before = open_descriptors();
    course_take(course, 0, outline_with("t", poem, 1), NULL);
    course_take(course, 0, outline_with("t", poem, 1), NULL);
    assert_int_equal(session_open(&s, course, 0, NULL, NULL), 0);
    assert_true(session_goto(&s, "look"));
    assert_int_equal(open_descriptors(), before + 1);
    for (int i = 0; i < 3; i++) { /* and with all later requests */
        assert_int_equal(turn_around(&s, poem, 1, &error), SESSION_SHOW);
        assert_non_null(session_step(&s));
    }
    session_close(&s);
    assert_int_equal(open_descriptors(), before);
    course_free(course);
}

static void a_session_without_an_outline_asks_twice(void **state)
{
    (void)state;
    const char *error;
    struct session s;
    struct course *course = course_with_head();
    assert_int_equal(session_open(&s, course, 0, NULL, NULL), 0);
    assert_int_equal(turn_around(&s, poem, 1, &error), SESSION_AGAIN);
    assert_int_equal(turn_around(&s, poem, 1, &error), SESSION_AGAIN); /* no goal: the first step */
    assert_int_equal(turn_around(&s, poem, 1, &error), SESSION_SHOW);
    assert_non_null(session_step(&s));
    session_close(&s);
    course_free(course);
}

/* The lesson was changed after its outline was listed. */
static void a_session_goes_by_what_the_lesson_says_now(void **state)
{
    (void)state;
    static const char *const both[] = {"deep/note.md", "poem.txt"};
    const char *error;
    struct session s;
    struct course *course = course_with_head();
    course_take(course, 0, outline_with("t", gone, 2), NULL); /* a file that it no longer declares is missing */
    course_take(course, 0, outline_with("t", gone, 2), NULL);
    assert_int_equal(session_open(&s, course, 0, NULL, NULL), 0);
    assert_true(session_goto(&s, "look"));
    assert_int_equal(turn_around(&s, both, 2, &error), SESSION_AGAIN);
    assert_int_equal(turn_around(&s, both, 2, &error), SESSION_SHOW);
    assert_non_null(session_step(&s));
    assert_int_equal(turn_around(&s, NULL, 0, &error), SESSION_AGAIN); /* and now none */
    assert_int_equal(turn_around(&s, NULL, 0, &error), SESSION_SHOW);
    session_close(&s);
    course_free(course);
}

static void a_missing_file_is_the_scene_s_error(void **state)
{
    (void)state;
    const char *error;
    struct session s;
    struct course *course = course_with_head();
    course_take(course, 0, app_lesson_scene("one", ""), NULL);
    assert_int_equal(session_open(&s, course, 0, NULL, NULL), 0);
    assert_true(session_goto(&s, "look"));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(turn_around(&s, gone, 2, &error), SESSION_SHOW);
        assert_string_equal(error, "lessons/one.lua: files/gone.txt cannot be read: there is no such file");
        assert_null(session_step(&s));
    }
    session_close(&s);
    course_free(course);
}

static void an_answer_asked_twice_is_judged_once(void **state)
{
    (void)state;
    const char *error;
    struct session s;
    struct store *store = store_open("answers.db");
    struct course *course = course_with_head();
    course_take(course, 0, app_lesson_scene("one", ""), NULL);
    assert_int_equal(session_open(&s, course, 0, store, NULL), 0);
    assert_true(session_goto(&s, "mean"));
    assert_int_equal(turn_around(&s, NULL, 0, &error), SESSION_SHOW);
    assert_int_equal(session_answer(&s, "2", 2, NULL), 0);
    assert_int_equal(turn_around(&s, poem, 1, &error), SESSION_AGAIN); /* the lesson has just got a file */
    assert_int_equal(turn_around(&s, poem, 1, &error), SESSION_SHOW);
    assert_int_equal(session_question(&s)->verdict, VERDICT_RIGHT);
    struct store_step *steps;
    size_t count;
    assert_int_equal(store_steps(store, "norms", "one", &steps, &count), 0);
    assert_int_equal(count, 1);
    assert_int_equal(steps[0].tries, 1);
    store_steps_free(steps, count);
    session_close(&s);
    course_free(course);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_regular_files_below_the_folder_are_opened),
        cmocka_unit_test(a_device_is_not_opened),
        cmocka_unit_test(a_request_bears_them_in_order),
        cmocka_unit_test(the_stamp_follows_the_content),
        cmocka_unit_test(the_course_asks_again_with_files),
        cmocka_unit_test(the_course_says_which_file_is_missing),
        cmocka_unit_test(a_course_that_changes_its_mind_is_not_asked_for_ever),
        cmocka_unit_test(a_session_sends_what_the_outline_lists),
        cmocka_unit_test(a_session_without_an_outline_asks_twice),
        cmocka_unit_test(a_session_goes_by_what_the_lesson_says_now),
        cmocka_unit_test(a_missing_file_is_the_scene_s_error),
        cmocka_unit_test(an_answer_asked_twice_is_judged_once),
    };
    return cmocka_run_group_tests_name("app_files", tests, make_files, app_leave_folder);
}
