/* What the store knows by ids, when ids change or two courses have the same one. */
#include "store_help.h"

static char *key_of(struct store *store, const char *author, const char *title)
{
    char *key = store_course(store, "blocks", author, title);
    assert_non_null(key);
    return key;
}

static void expect_key(struct store *store, const char *author, const char *title, const char *expected)
{
    char *key = key_of(store, author, title);
    assert_string_equal(key, expected);
    free(key);
}

static void an_author_has_a_key_for_good(void **state)
{
    (void)state;
    struct store *store = open_well(DB);
    expect_key(store, "Ann", "Blocks", "blocks");
    char *other = key_of(store, "Bob", "Blocks");
    assert_true(strncmp(other, "blocks.", 7) == 0 && strlen(other) == 15);
    expect_key(store, "Ann", "Other words", "blocks"); /* a title may change */
    store_close(store);
    store = open_well(DB);
    expect_key(store, "Bob", "Bricks", other);
    expect_key(store, "Ann", "Blocks", "blocks");
    free(other);
    store_close(store);
}

static void a_name_that_comes_later(void **state)
{
    (void)state;
    struct store *store = open_well(DB);
    expect_key(store, "", "Blocks", "blocks");
    char *other = key_of(store, "Bob", "Bricks"); /* another title: somebody else */
    assert_string_not_equal(other, "blocks");
    expect_key(store, "Ann", "Blocks", "blocks");
    expect_key(store, "Bob", "Bricks", other);
    free(other);
    other = key_of(store, "", "Blocks"); /* whoever gives no name now is not Ann */
    assert_string_not_equal(other, "blocks");
    free(other);
    store_close(store);
}

/* Each of them is told from the others, in whatever order they come. */
static void nameless_ones_among_others(void **state)
{
    (void)state;
    struct store *store = open_well(DB);
    expect_key(store, "Bob", "Bricks", "blocks");
    char *ann = key_of(store, "", "Blocks");
    expect_key(store, "Ann", "Blocks", ann);
    char *nobody = key_of(store, "", "Blocks");
    assert_string_not_equal(nobody, ann);
    assert_string_not_equal(nobody, "blocks");
    expect_key(store, "", "Blocks, again", nobody);
    expect_key(store, "Ann", "Blocks", ann);
    assert_no_trouble(store);
    free(ann);
    free(nobody);
    store_close(store);
}

static void put(struct store *store, const char *lesson, const char *step, uint32_t attempt, enum store_verdict verdict)
{
    struct store_answer answer = {.course = "course", .lesson = lesson, .step = step, .seed = 7, .attempt = attempt, .answer = "four",
                                  .verdict = verdict, .mistake = "", .said = "", .sure = 2, .time = 100};
    store_add_answer(store, &answer);
}

static struct store_step *steps_of(struct store *store, const char *lesson, size_t expected)
{
    struct store_step *steps;
    size_t count;
    assert_int_equal(store_steps(store, "course", lesson, &steps, &count), 0);
    assert_int_equal(count, expected);
    return steps;
}

static void learn(struct store *store)
{
    store_set_seed(store, "course", "old", 7);
    put(store, "old", "quiz", 2, STORE_RIGHT);
    store_set_hints(store, "course", "old", "quiz", 3);
    put(store, "old", "quiz", STORE_REVIEW + 1, STORE_WRONG);
    store_set_review(store, "course", "old", "quiz", STORE_REVIEW + 1);
    store_set_review_hints(store, "course", "old", "quiz", 1);
    store_set_place(store, "course", "old", "quiz", 1);
    put(store, "another", "quiz", 0, STORE_RIGHT);
}

static void expect_all(struct store *store, const char *lesson, const char *step)
{
    struct store_place place;
    struct store_review review;
    struct store_step *steps = steps_of(store, lesson, 1);
    assert_string_equal(steps[0].step, step);
    assert_true(steps[0].right && steps[0].attempt == 2 && steps[0].hints == 3 && steps[0].last_verdict == STORE_RIGHT);
    store_steps_free(steps, 1);
    assert_int_equal(store_review(store, "course", lesson, step, 7, &review), 0);
    assert_true(review.attempt == STORE_REVIEW + 1 && review.hints == 1 && review.last_verdict == STORE_WRONG);
    store_review_free(&review);
    assert_int_equal(store_lesson_place(store, "course", lesson, &place), 0);
    assert_true(place.seed == 7 && place.page == 1);
    assert_string_equal(place.step, step);
    store_place_free(&place);
    char *last = store_last_lesson(store, "course");
    assert_string_equal(last, lesson);
    free(last);
    store_steps_free(steps_of(store, "another", 1), 1);
}

static void a_lesson_and_a_step_are_renamed(void **state)
{
    (void)state;
    struct store *store = open_well(DB);
    learn(store);
    store_move_lesson(store, "course", "old", "new");
    store_move_step(store, "course", "new", "quiz", "test");
    expect_all(store, "new", "test");
    steps_of(store, "old", 0);
    for (int again = 0; again < 2; again++) { /* as at every start */
        store_move_lesson(store, "course", "old", "new");
        store_move_step(store, "course", "new", "quiz", "test");
    }
    store_close(store);
    store = open_well(DB);
    expect_all(store, "new", "test");
    assert_int_equal(raw_number(DB, "SELECT count(*) FROM answer"), 3);
    store_close(store);
}

/* The lesson was opened under its new id before it was known that it has another one. */
static void what_was_only_looked_at_gives_way(void **state)
{
    (void)state;
    struct store *store = open_well(DB);
    learn(store);
    store_set_seed(store, "course", "new", 9);
    store_set_place(store, "course", "new", "", 0);
    store_set_seen(store, "course", "new", "quiz");
    store_move_lesson(store, "course", "old", "new");
    store_set_seen(store, "course", "new", "test");
    store_move_step(store, "course", "new", "quiz", "test");
    store_set_place(store, "course", "new", "test", 1);
    expect_all(store, "new", "test");
    store_close(store);
}

static void what_was_answered_stays_with_it(void **state)
{
    (void)state;
    struct store *store = open_well(DB);
    struct store_place place;
    learn(store);
    store_set_seed(store, "course", "new", 9);
    put(store, "new", "first", 0, STORE_RIGHT);
    put(store, "new", "quiz", 1, STORE_WRONG);
    store_set_place(store, "course", "new", "first", 1);
    store_move_lesson(store, "course", "old", "new");
    struct store_step *steps = steps_of(store, "new", 2);
    assert_true(steps[0].right);
    assert_true(steps[1].right && steps[1].attempt == 1 && steps[1].tries == 2);
    store_steps_free(steps, 2);
    assert_int_equal(store_lesson_place(store, "course", "new", &place), 0);
    assert_true(place.seed == 9);
    assert_string_equal(place.step, "first");
    store_place_free(&place);
    store_close(store);
}

static void in_memory_it_is_the_same(void **state)
{
    (void)state;
    struct store *store = store_open("/proc/no/such/progress.db");
    assert_non_null(store);
    learn(store);
    store_move_lesson(store, "course", "old", "new");
    expect_all(store, "new", "quiz");
    expect_key(store, "Ann", "Blocks", "blocks");
    char *other = key_of(store, "Bob", "Blocks");
    assert_string_not_equal(other, "blocks");
    free(other);
    store_close(store);
}

/* ---- files of the second version ---- */

static const char version_2[] =
    "CREATE TABLE answer (id INTEGER PRIMARY KEY, mark INTEGER NOT NULL UNIQUE,"
    " course TEXT NOT NULL, lesson TEXT NOT NULL, step TEXT NOT NULL, seed INTEGER NOT NULL, attempt INTEGER NOT NULL,"
    " answer TEXT NOT NULL, verdict INTEGER NOT NULL, mistake TEXT NOT NULL, said TEXT NOT NULL, sure INTEGER NOT NULL,"
    " time INTEGER NOT NULL);"
    "CREATE INDEX answer_of_step ON answer (course, lesson, step, seed, attempt, verdict, sure);"
    "CREATE TABLE step (course TEXT NOT NULL, lesson TEXT NOT NULL, step TEXT NOT NULL, seen INTEGER NOT NULL DEFAULT 0,"
    " attempt INTEGER NOT NULL DEFAULT 0, hints INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (course, lesson, step)) WITHOUT ROWID;"
    "CREATE TABLE place (course TEXT NOT NULL, lesson TEXT NOT NULL, seed INTEGER NOT NULL, step TEXT NOT NULL DEFAULT '',"
    " page INTEGER NOT NULL DEFAULT 0, time INTEGER NOT NULL, turn INTEGER NOT NULL DEFAULT 0,"
    " PRIMARY KEY (course, lesson)) WITHOUT ROWID;"
    "CREATE TABLE catalogue (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, outline BLOB NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE review (course TEXT NOT NULL, lesson TEXT NOT NULL, step TEXT NOT NULL, attempt INTEGER NOT NULL DEFAULT 0,"
    " hints INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (course, lesson, step)) WITHOUT ROWID;"
    "INSERT INTO answer VALUES (1, 11, 'blocks', 'lesson', 'quiz', 7, 2, 'four', 1, '', '', 3, 1000);"
    "INSERT INTO step VALUES ('blocks', 'lesson', 'quiz', 1, 2, 1);"
    "INSERT INTO place VALUES ('blocks', 'lesson', 7, 'quiz', 1, 1001, 1);"
    "INSERT INTO review VALUES ('blocks', 'lesson', 'quiz', 2147483649, 1);"
    "PRAGMA user_version=2; PRAGMA application_id=1852797549;";

static void a_file_of_the_second_version_is_brought_up(void **state)
{
    (void)state;
    raw_run(DB, version_2);
    struct store *store = open_well(DB);
    assert_int_equal(raw_number(DB, "PRAGMA user_version"), 3);
    expect_key(store, "Ann", "Blocks", "blocks"); /* whoever is there first has what was known of the id */
    char *other = key_of(store, "Bob", "Blocks");
    assert_string_not_equal(other, "blocks");
    struct store_step *steps;
    size_t count;
    assert_int_equal(store_steps(store, "blocks", "lesson", &steps, &count), 0);
    assert_true(count == 1 && steps[0].right && steps[0].hints == 1);
    store_steps_free(steps, count);
    assert_int_equal(store_steps(store, other, "lesson", &steps, &count), 0);
    assert_int_equal(count, 0);
    store_steps_free(steps, count);
    free(other);
    store_close(store);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_author_has_a_key_for_good),
        TEST(a_name_that_comes_later),
        TEST(nameless_ones_among_others),
        TEST(a_lesson_and_a_step_are_renamed),
        TEST(what_was_only_looked_at_gives_way),
        TEST(what_was_answered_stays_with_it),
        TEST(in_memory_it_is_the_same),
        TEST(a_file_of_the_second_version_is_brought_up),
    };
    return cmocka_run_group_tests_name("store and ids", tests, NULL, NULL);
}
