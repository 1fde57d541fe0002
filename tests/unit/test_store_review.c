/* What the store keeps of reviews, and files from before there were any. */
#include "store_help.h"

static int answer_at(struct store *store, uint32_t attempt, enum store_verdict verdict, int64_t time)
{
    struct store_answer answer = {.course = "course", .lesson = "lesson", .step = "quiz", .seed = 7, .attempt = attempt, .answer = "5",
                                  .verdict = verdict, .mistake = "", .said = "said", .sure = 1, .time = time};
    return store_add_answer(store, &answer);
}

static struct store_review review_of(struct store *store, uint64_t seed)
{
    struct store_review review;
    assert_int_equal(store_review(store, "course", "lesson", "quiz", seed, &review), 0);
    return review;
}

static void a_review_stands_at_its_numbers(void **state)
{
    (void)state;
    struct store *store = open_well(DB);
    struct store_review review = review_of(store, 7);
    assert_int_equal(review.attempt, 0);
    assert_int_equal(review.last_verdict, 0);
    store_review_free(&review);
    assert_int_equal(store_set_review(store, "course", "lesson", "quiz", STORE_REVIEW), 0);
    assert_int_equal(store_set_review_hints(store, "course", "lesson", "quiz", 2), 0);
    assert_int_equal(answer_at(store, 0, STORE_RIGHT, 1), 0);
    assert_int_equal(answer_at(store, STORE_REVIEW, STORE_WRONG, 2), 0);
    store_close(store);
    store = open_well(DB);
    review = review_of(store, 7);
    assert_true(review.attempt == STORE_REVIEW);
    assert_int_equal(review.hints, 2);
    assert_string_equal(review.last_answer, "5");
    assert_int_equal(review.last_verdict, STORE_WRONG);
    assert_int_equal(review.last_sure, 1);
    store_review_free(&review);
    review = review_of(store, 8); /* another seed's numbers are others */
    assert_int_equal(review.last_verdict, 0);
    store_review_free(&review);
    store_set_review(store, "course", "lesson", "quiz", STORE_REVIEW + 1);
    review = review_of(store, 7);
    assert_int_equal(review.hints, 0);
    assert_int_equal(review.last_verdict, 0);
    store_review_free(&review);
    store_close(store);
}

static void another_seed_closes_the_hints(void **state)
{
    (void)state;
    struct store *store = open_well(DB);
    store_set_seed(store, "course", "lesson", 7);
    store_set_review(store, "course", "lesson", "quiz", STORE_REVIEW);
    store_set_review_hints(store, "course", "lesson", "quiz", 2);
    store_set_seed(store, "course", "lesson", 7);
    struct store_review review = review_of(store, 7);
    assert_int_equal(review.hints, 2);
    store_review_free(&review);
    store_set_seed(store, "course", "lesson", 8);
    review = review_of(store, 8);
    assert_int_equal(review.hints, 0);
    store_review_free(&review);
    store_close(store);
}

static void the_lesson_knows_nothing_of_it(void **state)
{
    (void)state;
    struct store *store = open_well(DB);
    store_set_seed(store, "course", "lesson", 7);
    assert_int_equal(answer_at(store, 1, STORE_RIGHT, 100), 0);
    store_set_hints(store, "course", "lesson", "quiz", 1);
    assert_int_equal(answer_at(store, STORE_REVIEW, STORE_WRONG, 200), 0);
    assert_int_equal(answer_at(store, STORE_REVIEW, STORE_GIVEN_UP, 300), 0);
    struct store_step *step = step_of(store, "quiz");
    assert_int_equal(step->attempt, 1);
    assert_int_equal(step->hints, 1);
    assert_int_equal(step->tries, 1);
    assert_int_equal(step->last_verdict, STORE_RIGHT);
    assert_string_equal(step->last_said, "");
    assert_int_equal(step->last_time, 100);
    store_steps_free(step, 1);
    struct store_past *past;
    size_t count;
    assert_int_equal(store_past(store, "course", &past, &count), 0);
    assert_int_equal(count, 3);
    assert_string_equal(past[0].lesson, "lesson");
    assert_string_equal(past[1].step, "quiz");
    assert_true(past[1].attempt == STORE_REVIEW && past[1].seed == 7);
    assert_int_equal(past[1].time, 200);
    assert_int_equal(past[2].verdict, STORE_GIVEN_UP);
    store_past_free(past, count);
    assert_int_equal(store_past(store, "another", &past, &count), 0);
    assert_int_equal(count, 0);
    store_past_free(past, count);
    store_close(store);
}

static void answers_come_by_step_and_in_their_order(void **state)
{
    (void)state;
    struct store *store = open_well(DB);
    add(store, "b", "1", STORE_WRONG);
    add(store, "a", "1", STORE_RIGHT);
    add(store, "b", "2", STORE_RIGHT);
    struct store_past *past;
    size_t count;
    assert_int_equal(store_past(store, "course", &past, &count), 0);
    assert_int_equal(count, 3);
    assert_string_equal(past[0].step, "a");
    assert_int_equal(past[1].verdict, STORE_WRONG);
    assert_int_equal(past[2].verdict, STORE_RIGHT);
    store_past_free(past, count);
    store_close(store);
}

/* ---- files of the first version ---- */

static const char version_1[] =
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
    "INSERT INTO answer VALUES (1, 11, 'course', 'lesson', 'quiz', 7, 2, 'four', 2, 'm', 'said', 3, 1000);"
    "INSERT INTO answer VALUES (2, 12, 'course', 'lesson', 'quiz', 7, 2, 'five', 1, '', '', 2, 1001);"
    "INSERT INTO step VALUES ('course', 'lesson', 'quiz', 1, 2, 1);"
    "INSERT INTO place VALUES ('course', 'lesson', 7, 'quiz', 1, 1001, 1);"
    "PRAGMA user_version=1; PRAGMA application_id=1852797549;";

static void make_version_1(const char *mode)
{
    assert_int_equal(system("rm -f " DB "*"), 0);
    raw_run(DB, mode);
    raw_run(DB, version_1);
}

static void assert_all_of_version_1(struct store *store)
{
    struct store_step *step = step_of(store, "quiz");
    assert_true(step->seen && step->right && step->settled);
    assert_int_equal(step->attempt, 2);
    assert_int_equal(step->tries, 2);
    assert_int_equal(step->hints, 1);
    assert_string_equal(step->last_answer, "five");
    store_steps_free(step, 1);
    struct store_place place;
    assert_int_equal(store_lesson_place(store, "course", "lesson", &place), 0);
    assert_int_equal(place.seed, 7);
    assert_string_equal(place.step, "quiz");
    store_place_free(&place);
    struct store_past *past;
    size_t count;
    assert_int_equal(store_past(store, "course", &past, &count), 0);
    assert_int_equal(count, 2);
    assert_int_equal(past[0].sure, 3);
    store_past_free(past, count);
}

static void an_older_file_is_carried_over(void **state)
{
    (void)state;
    static const char *const modes[] = {"PRAGMA journal_mode=DELETE", "PRAGMA journal_mode=WAL"};
    for (int i = 0; i < 2; i++) {
        make_version_1(modes[i]);
        for (int opened = 0; opened < 2; opened++) {
            struct store *store = open_well(DB);
            assert_all_of_version_1(store);
            assert_int_equal(store_set_review(store, "course", "lesson", "quiz", STORE_REVIEW + (uint32_t)opened), 0);
            assert_no_trouble(store);
            store_close(store);
            assert_int_equal(raw_number(DB, "PRAGMA user_version"), 3);
        }
        assert_int_equal(raw_number(DB, "SELECT attempt FROM review"), (int64_t)STORE_REVIEW + 1);
    }
}

static void many_carry_it_over_at_once(void **state)
{
    (void)state;
    enum { TUTORS = 6 };
    for (int round = 0; round < 5; round++) {
        pid_t tutors[TUTORS];
        make_version_1("PRAGMA journal_mode=WAL");
        for (int t = 0; t < TUTORS; t++) {
            if ((tutors[t] = fork()) != 0)
                continue;
            struct store *store = store_open(DB);
            bool well = store && !store_trouble(store) && answer_at(store, STORE_REVIEW, STORE_RIGHT, 0) == 0;
            store_close(store);
            _exit(well ? 0 : 1);
        }
        for (int t = 0; t < TUTORS; t++)
            assert_int_equal(wait_for(tutors[t]), 0);
        assert_int_equal(answers_in(DB), 2 + TUTORS);
    }
}

static void an_older_file_that_cannot_be_written_is_read(void **state)
{
    (void)state;
    make_version_1("PRAGMA journal_mode=DELETE");
    assert_int_equal(chmod(DB, 0444), 0);
    assert_int_equal(chmod(".", 0555), 0);
    if (getuid() == 0)
        assert_int_equal(seteuid(65534), 0);
    struct store *store = store_open(DB);
    assert_non_null(store);
    assert_trouble(store, "Progress is not saved");
    assert_all_of_version_1(store);
    store_set_review(store, "course", "lesson", "quiz", STORE_REVIEW);
    struct store_review review = review_of(store, 7);
    assert_true(review.attempt == STORE_REVIEW);
    store_review_free(&review);
    store_close(store);
    assert_int_equal(seteuid(getuid()), 0);
    assert_int_equal(chmod(".", 0755), 0);
    assert_int_equal(raw_number(DB, "PRAGMA user_version"), 1);
}

static void what_can_be_read_of_a_damaged_older_file(void **state)
{
    (void)state;
    make_version_1("PRAGMA journal_mode=DELETE");
    int64_t size = raw_number(DB, "PRAGMA page_size");
    int64_t root = raw_number(DB, "SELECT rootpage FROM sqlite_master WHERE name = 'answer_of_step'");
    FILE *file = fopen(DB, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)((root - 1) * size), SEEK_SET), 0);
    for (int64_t i = 0; i < size; i++)
        fputc(0xff, file);
    assert_int_equal(fclose(file), 0);
    struct store *store = store_open(DB);
    assert_non_null(store);
    struct store_past *past;
    size_t count;
    assert_int_equal(answer_at(store, STORE_REVIEW, STORE_RIGHT, 0), 0);
    assert_int_equal(store_past(store, "course", &past, &count), 0);
    assert_int_equal(count, 3);
    store_past_free(past, count);
    assert_trouble(store, "damaged");
    store_close(store);
    assert_int_equal(answers_in(DB), 3);
    assert_int_equal(raw_number(DB, "PRAGMA user_version"), 3);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_review_stands_at_its_numbers),
        TEST(another_seed_closes_the_hints),
        TEST(the_lesson_knows_nothing_of_it),
        TEST(answers_come_by_step_and_in_their_order),
        TEST(an_older_file_is_carried_over),
        TEST(many_carry_it_over_at_once),
        TEST(an_older_file_that_cannot_be_written_is_read),
        TEST(what_can_be_read_of_a_damaged_older_file),
    };
    return cmocka_run_group_tests_name("store and reviews", tests, NULL, NULL);
}
