/* Progress with several tutors at once, and with tutors that are killed. */
#include "store_help.h"

#include <time.h>

static void pause_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

/* A tutor of its own: adds `count` answers and ends with 0 when the store had nothing to say. */
static pid_t start_tutor(const char *step, int count)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    struct store *store = store_open(DB);
    char words[32];
    int said = 0;
    for (int i = 0; store && i < count; i++) {
        snprintf(words, sizeof words, "%d", i);
        said |= add(store, step, words, STORE_WRONG) != 0;
    }
    for (const char *trouble; store && (trouble = store_trouble(store)) != NULL; said = 1)
        print_message("%s\n", trouble);
    store_close(store);
    _exit(store ? said : 2);
}

static void two_at_once(void **state)
{
    (void)state;
    enum { ANSWERS = 200 };
    pid_t first = start_tutor("first", ANSWERS), second = start_tutor("second", ANSWERS);
    assert_int_equal(wait_for(first), 0);
    assert_int_equal(wait_for(second), 0);
    struct store *store = open_well(DB);
    assert_int_equal(tries(store, "first"), ANSWERS);
    assert_int_equal(tries(store, "second"), ANSWERS);
    store_close(store);
    assert_int_equal(raw_number(DB, "SELECT count(DISTINCT step || answer) FROM answer"), 2 * ANSWERS);
}

static void many_start_at_once(void **state)
{
    (void)state;
    enum { TUTORS = 8 };
    for (int round = 0; round < 20; round++) {
        pid_t tutors[TUTORS];
        assert_int_equal(system("rm -f " DB "*"), 0);
        for (int t = 0; t < TUTORS; t++)
            tutors[t] = start_tutor("quiz", 1);
        for (int t = 0; t < TUTORS; t++)
            assert_int_equal(wait_for(tutors[t]), 0);
        assert_int_equal(answers_in(DB), TUTORS);
    }
}

static void sees_the_others_answers(void **state)
{
    (void)state;
    struct store *one = open_well(DB), *other = open_well(DB);
    add(one, "quiz", "1", STORE_WRONG);
    add(other, "quiz", "2", STORE_RIGHT);
    assert_int_equal(tries(one, "quiz"), 2);
    assert_int_equal(tries(other, "quiz"), 2);
    store_close(one);
    add(other, "quiz", "3", STORE_RIGHT);
    store_close(other);
    assert_int_equal(answers_in(DB), 3);
}

/* Adds answers for ever, and says the number of each through the pipe once it is stored. */
static void add_until_killed(int pipe, uint32_t next)
{
    struct store *store = store_open(DB);
    char words[32];
    for (; store; next++) {
        snprintf(words, sizeof words, "%u", next);
        if (add(store, "quiz", words, STORE_RIGHT) || write(pipe, &next, sizeof next) != (ssize_t)sizeof next)
            break;
    }
    _exit(1);
}

static void killed_at_any_moment(void **state)
{
    (void)state;
    enum { KILLS = 50 };
    uint32_t promised = 0, most = 0;
    srand(12345);
    for (int i = 0; i < KILLS; i++) {
        int ends[2];
        uint32_t number, next = most;
        assert_int_equal(pipe(ends), 0);
        pid_t tutor = fork();
        if (tutor == 0)
            add_until_killed(ends[1], next);
        close(ends[1]);
        pause_ms(rand() % 40);
        kill(tutor, SIGKILL);
        while (read(ends[0], &number, sizeof number) == (ssize_t)sizeof number) {
            promised++;
            most = number + 1;
        }
        close(ends[0]);
        assert_int_equal(wait_for(tutor), 1000 + SIGKILL);
        /* At most the one answer whose call was cut off may be there besides. */
        struct store *store = open_well(DB);
        int64_t there = raw_number(DB, "SELECT count(DISTINCT answer) FROM answer");
        store_close(store);
        assert_in_range(there, promised, promised + 1);
        char sql[128];
        snprintf(sql, sizeof sql,
                 "SELECT count(DISTINCT answer) FROM answer WHERE CAST(answer AS INTEGER) < %u", most);
        assert_int_equal(raw_number(DB, sql), most);
        most = (uint32_t)there;
        promised = most;
    }
    assert_true(promised > KILLS);
    assert_string_equal("ok", raw_number(DB, "SELECT integrity_check = 'ok' FROM pragma_integrity_check") == 1
                                  ? "ok"
                                  : "damaged");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(two_at_once),
        TEST(many_start_at_once),
        TEST(sees_the_others_answers),
        TEST(killed_at_any_moment),
    };
    return cmocka_run_group_tests_name("store processes", tests, NULL, NULL);
}
