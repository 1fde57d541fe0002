/* Progress: what is stored is there the next day. */
#include "store_help.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>

/* SQLite finds these before the C library's. */
static int synchronized;

int fsync(int fd)
{
    synchronized++;
    return (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    synchronized++;
    return (int)syscall(SYS_fdatasync, fd);
}

static void place_is_made_and_kept(void **state)
{
    (void)state;
    struct store_place place, again;
    struct store *store = open_well(DB);
    assert_int_equal(store_lesson_place(store, "course", "lesson", &place), 0);
    assert_string_equal(place.step, "");
    assert_int_equal(place.page, 0);
    assert_int_equal(store_lesson_place(store, "course", "other", &again), 0);
    assert_true(place.seed != again.seed); /* fails once in 4 thousand million */
    store_place_free(&again);
    store_close(store);

    store = open_well(DB);
    assert_int_equal(store_lesson_place(store, "course", "lesson", &again), 0);
    assert_true(place.seed == again.seed);
    store_place_free(&place);
    store_place_free(&again);

    time_t before = time(NULL);
    assert_int_equal(store_set_place(store, "course", "lesson", "third", 1), 0);
    assert_int_equal(store_set_seed(store, "course", "lesson", UINT64_MAX), 0);
    store_close(store);
    store = open_well(DB);
    assert_int_equal(store_lesson_place(store, "course", "lesson", &place), 0);
    assert_string_equal(place.step, "third");
    assert_int_equal(place.page, 1);
    assert_true(place.seed == UINT64_MAX);
    assert_true(place.time >= before && place.time <= time(NULL));
    store_place_free(&place);
    store_place_free(&place);
    store_close(store);
}

static void place_can_be_set_first(void **state)
{
    (void)state;
    struct store_place place;
    struct store *store = open_well(DB);
    assert_int_equal(store_set_place(store, "course", "lesson", "third", 2), 0);
    assert_int_equal(store_set_seed(store, "course", "given", 5), 0);
    assert_int_equal(store_lesson_place(store, "course", "lesson", &place), 0);
    assert_string_equal(place.step, "third");
    store_place_free(&place);
    assert_int_equal(store_lesson_place(store, "course", "given", &place), 0);
    assert_true(place.seed == 5);
    store_place_free(&place);
    store_close(store);
}

static void assert_last(struct store *store, const char *course, const char *expected)
{
    char *lesson = store_last_lesson(store, course);
    if (expected)
        assert_string_equal(lesson, expected);
    else
        assert_null(lesson);
    free(lesson);
}

static void last_lesson(void **state)
{
    (void)state;
    struct store_place place;
    struct store *store = open_well(DB);
    assert_last(store, "course", NULL);
    store_set_place(store, "course", "mean", "a", 1);
    store_set_place(store, "course", "epsilon", "b", 1);
    store_set_place(store, "another", "x", "b", 1);
    assert_last(store, "course", "epsilon");
    store_set_place(store, "course", "mean", "a", 1); /* within the same second */
    store_lesson_place(store, "course", "looked-at", &place);
    store_place_free(&place);
    store_close(store);
    store = open_well(DB);
    assert_last(store, "course", "mean");
    assert_last(store, "another", "x");
    store_close(store);
}

/* Everything that a lesson needs to be where it was. */
static void step_resumes(void **state)
{
    (void)state;
    struct store *store = open_well(DB);
    store_set_seed(store, "course", "lesson", 7);
    store_set_attempt(store, "course", "lesson", "quiz", 2);
    store_set_hints(store, "course", "lesson", "quiz", 1);
    struct store_answer wrong = {.course = "course",
                                 .lesson = "lesson",
                                 .step = "quiz",
                                 .seed = 7,
                                 .attempt = 2,
                                 .answer = "−1,5 \xe2\x82\xac",
                                 .verdict = STORE_WRONG,
                                 .mistake = "unbiased",
                                 .said = "You divided by n - 1.",
                                 .sure = 3,
                                 .time = 1234567890};
    assert_int_equal(store_add_answer(store, &wrong), 0);
    store_close(store);

    store = open_well(DB);
    struct store_step *step = step_of(store, "quiz");
    assert_true(step->seen && step->predicted && step->settled && !step->right);
    assert_int_equal(step->attempt, 2);
    assert_int_equal(step->hints, 1);
    assert_int_equal(step->tries, 1);
    assert_string_equal(step->last_answer, wrong.answer);
    assert_int_equal(step->last_verdict, STORE_WRONG);
    assert_int_equal(step->last_sure, 3);
    assert_string_equal(step->last_said, "You divided by n - 1.");
    assert_int_equal(step->last_time, 1234567890);
    store_steps_free(step, 1);
    store_close(store);
    assert_int_equal(
        raw_number(
            DB, "SELECT count(*) FROM answer WHERE course = 'course' AND lesson = 'lesson' AND step = 'quiz'"
                " AND seed = 7 AND attempt = 2 AND verdict = 2 AND mistake = 'unbiased' AND sure = 3"),
        1);
}

static void verdicts_add_up(void **state)
{
    (void)state;
    struct store *store = open_well(DB);
    add(store, "asked", "1", STORE_WRONG);
    struct store_step *step = step_of(store, "asked");
    assert_true(!step->right && !step->settled && !step->predicted && step->tries == 1);
    store_steps_free(step, 1);

    add(store, "asked", "2", STORE_RIGHT);
    add(store, "asked", "3", STORE_WRONG);
    step = step_of(store, "asked");
    assert_true(step->right && step->settled && !step->predicted && step->tries == 3);
    assert_string_equal(step->last_answer, "3");
    assert_int_equal(step->last_verdict, STORE_WRONG);
    store_steps_free(step, 1);

    add(store, "left", "", STORE_GIVEN_UP);
    step = step_of(store, "left");
    assert_true(!step->right && step->settled && step->tries == 0);
    assert_int_equal(step->last_verdict, STORE_GIVEN_UP);
    store_steps_free(step, 1);

    store_set_seen(store, "course", "lesson", "read");
    step = step_of(store, "read");
    assert_true(step->seen && !step->settled && step->last_verdict == 0);
    assert_string_equal(step->last_answer, "");
    assert_string_equal(step->last_said, "");
    store_steps_free(step, 1);

    store_set_hints(store, "course", "lesson", "peeked", 1);
    step = step_of(store, "peeked");
    assert_false(step->seen);
    store_steps_free(step, 1);

    struct store_step *none;
    size_t count;
    assert_int_equal(store_steps(store, "course", "unknown", &none, &count), 0);
    assert_int_equal(count, 0);
    store_steps_free(none, count);
    store_close(store);
}

static void other_numbers_start_clean(void **state)
{
    (void)state;
    struct store *store = open_well(DB);
    store_set_seed(store, "course", "lesson", 7);
    store_set_hints(store, "course", "lesson", "quiz", 2);
    add(store, "quiz", "1", STORE_RIGHT);
    store_set_attempt(store, "course", "lesson", "quiz", 0); /* no others */
    struct store_step *step = step_of(store, "quiz");
    assert_int_equal(step->hints, 2);
    store_steps_free(step, 1);

    store_set_attempt(store, "course", "lesson", "quiz", 1);
    step = step_of(store, "quiz");
    assert_true(step->attempt == 1 && step->hints == 0 && step->last_verdict == 0);
    assert_string_equal(step->last_answer, "");
    assert_true(step->right && step->seen && step->tries == 1); /* history stays */
    store_steps_free(step, 1);

    store_set_hints(store, "course", "lesson", "quiz", 1);
    store_set_seed(store, "course", "lesson", 7); /* no others */
    step = step_of(store, "quiz");
    assert_true(step->attempt == 1 && step->hints == 1);
    store_steps_free(step, 1);
    store_set_seed(store, "course", "lesson", 8);
    step = step_of(store, "quiz");
    assert_true(step->attempt == 0 && step->hints == 0 && step->last_verdict == 0 && step->right);
    store_steps_free(step, 1);
    store_close(store);
}

static void catalogue(void **state)
{
    (void)state;
    void *bytes;
    size_t length;
    struct store *store = open_well(DB);
    assert_int_equal(store_catalogue_get(store, "a.lua", "1", &bytes, &length), 1);
    assert_int_equal(store_catalogue_put(store, "a.lua", "1", "x\0y", 3), 0);
    assert_int_equal(store_catalogue_put(store, "empty.lua", "1", NULL, 0), 0);
    store_close(store);
    store = open_well(DB);
    assert_int_equal(store_catalogue_get(store, "a.lua", "1", &bytes, &length), 0);
    assert_int_equal(length, 3);
    assert_memory_equal(bytes, "x\0y", 3);
    free(bytes);
    assert_int_equal(store_catalogue_get(store, "a.lua", "2", &bytes, &length), 1);
    assert_int_equal(store_catalogue_put(store, "a.lua", "2", "z", 1), 0);
    assert_int_equal(store_catalogue_get(store, "a.lua", "1", &bytes, &length), 1);
    assert_int_equal(store_catalogue_get(store, "empty.lua", "1", &bytes, &length), 0);
    assert_int_equal(length, 0);
    free(bytes);
    store_close(store);
}

static void usual_place_is_private(void **state)
{
    struct stat what;
    char home[128];
    mode_t mask = umask(0);
    snprintf(home, sizeof home, "%s/new/state", (const char *)*state);
    setenv("XDG_STATE_HOME", home, 1);
    struct store *store = open_well(NULL);
    add(store, "quiz", "1", STORE_RIGHT);
    assert_int_equal(stat("new/state/normtutor", &what), 0);
    assert_int_equal(what.st_mode & 0777, 0700);
    assert_int_equal(stat("new/state/normtutor/progress.db", &what), 0);
    assert_int_equal(what.st_mode & 0777, 0600);
    assert_int_equal(stat("new/state/normtutor/progress.db-wal", &what), 0);
    assert_int_equal(what.st_mode & 0777, 0600);
    store_close(store);
    umask(mask);
    assert_int_equal(answers_in("new/state/normtutor/progress.db"), 1);
    assert_int_not_equal(stat("new/state/normtutor/progress.db-wal", &what), 0);
    unsetenv("XDG_STATE_HOME");
}

static int write_version(const char *path)
{
    unsigned char header[20] = {0};
    int fd = open(path, O_RDONLY);
    assert_int_equal(read(fd, header, sizeof header), sizeof header);
    close(fd);
    return header[18]; /* 2: write-ahead log, 1: rollback journal (SQLite's file format, 1.3.3) */
}

static void writes_ahead(void **state)
{
    (void)state;
    struct store *store = open_well(DB);
    assert_int_equal(write_version(DB), 2);
    store_close(store);
    assert_int_equal(raw_number(DB, "PRAGMA user_version"), 3);
}

/* SQLite's dot-file locking has no shared memory, like many network file systems. */
static void journals_where_it_cannot_write_ahead(void **state)
{
    (void)state;
    sqlite3_vfs *usual = sqlite3_vfs_find(NULL), *plain = sqlite3_vfs_find("unix-dotfile");
    assert_non_null(plain);
    sqlite3_vfs_register(plain, 1);
    struct store *store = open_well(DB);
    assert_int_equal(add(store, "quiz", "1", STORE_RIGHT), 0);
    assert_int_equal(write_version(DB), 1);
    store_close(store);
    store = open_well(DB);
    assert_int_equal(tries(store, "quiz"), 1);
    store_close(store);
    sqlite3_vfs_register(usual, 1);
}

/* A process that is killed loses nothing that it wrote; a machine that stops does, unless each answer was
 * synchronized. */
static void each_answer_reaches_the_disk(void **state)
{
    (void)state;
    struct store *store = open_well(DB);
    for (int i = 0; i < 20; i++) {
        int before = synchronized;
        assert_int_equal(add(store, "quiz", "1", STORE_WRONG), 0);
        assert_true(synchronized > before);
    }
    store_set_seen(store, "course", "lesson", "quiz");
    int before = synchronized;
    store_set_seen(store, "course", "lesson", "quiz"); /* nothing new, nothing to wait for */
    assert_int_equal(synchronized, before);
    store_close(store);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(place_is_made_and_kept),
        TEST(place_can_be_set_first),
        TEST(last_lesson),
        TEST(step_resumes),
        TEST(verdicts_add_up),
        TEST(other_numbers_start_clean),
        TEST(catalogue),
        TEST(usual_place_is_private),
        TEST(writes_ahead),
        TEST(each_answer_reaches_the_disk),
        TEST(journals_where_it_cannot_write_ahead),
    };
    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
