/* When a question comes back, what a round of review asks, and what it leaves alone. */
#include "app_help.h"

#include "app/review.h"
#include "app/schedule.h"
#include "app/session.h"

enum { HOUR = 3600, DAY = 24 * HOUR, START = 1700000000 };

/* ---- the schedule ---- */

struct past {
    struct store_past answer[32];
    size_t count;
};

/* Wrong, given up, … `sure`: of a prediction. */
static void answered(struct past *past, int64_t time, enum store_verdict verdict, uint32_t sure)
{
    past->answer[past->count++] = (struct store_past){.lesson = "one", .step = "mean", .seed = 7, .verdict = verdict, .sure = sure, .time = time};
}

static void reviewed(struct past *past, int64_t time, enum store_verdict verdict)
{
    answered(past, time, verdict, 0);
    past->answer[past->count - 1].attempt = STORE_REVIEW;
}

static struct schedule at(const struct past *past, int64_t now)
{
    return schedule_of(past->answer, past->count, now);
}

static bool is_due(const struct past *past, int64_t now)
{
    struct schedule schedule = at(past, now);
    return schedule.box > 0 && schedule.due <= now;
}

static void what_was_known_does_not_come_back(void **state)
{
    (void)state;
    struct past past = {0};
    assert_int_equal(at(&past, START).box, 0);
    answered(&past, START, STORE_RIGHT, 0); /* no prediction */
    answered(&past, START, STORE_RIGHT, 3); /* certain, and right */
    reviewed(&past, START + DAY, STORE_RIGHT);
    assert_int_equal(at(&past, START + 400 * DAY).box, 0);
}

static void what_was_not_known_comes_back_the_next_day(void **state)
{
    (void)state;
    const struct {
        enum store_verdict verdict;
        uint32_t sure;
        bool first;
    } cases[] = {{STORE_WRONG, 0, false}, {STORE_GIVEN_UP, 0, false}, {STORE_WRONG, 1, false}, {STORE_WRONG, 3, true},
                 {STORE_RIGHT, 1, false}, {STORE_RIGHT, 2, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct past past = {0};
        answered(&past, START, cases[i].verdict, cases[i].sure);
        assert_int_equal(at(&past, START).box, 1);
        assert_int_equal(at(&past, START).first, cases[i].first);
        assert_false(is_due(&past, START));
        assert_false(is_due(&past, START + 12 * HOUR));
        assert_true(is_due(&past, START + DAY));
        assert_true(is_due(&past, START + 400 * DAY));
    }
}

static void right_after_all_changes_nothing_but_the_days(void **state)
{
    (void)state;
    struct past past = {0};
    answered(&past, START, STORE_WRONG, 0);
    answered(&past, START + 2 * DAY, STORE_RIGHT, 0);
    assert_int_equal(at(&past, START).box, 1);
    assert_false(is_due(&past, START + 2 * DAY + HOUR));
    assert_true(is_due(&past, START + 3 * DAY));
}

static void boxes_wait_longer_and_longer(void **state)
{
    (void)state;
    struct past past = {0};
    int64_t now = START;
    answered(&past, now, STORE_WRONG, 3);
    for (int box = 1; box <= SCHEDULE_BOXES; box++) {
        assert_int_equal(at(&past, now).box, box);
        assert_int_equal(at(&past, now).first, box == 1);
        assert_false(is_due(&past, now + schedule_days[box - 1] * DAY - 6 * HOUR));
        now += schedule_days[box - 1] * DAY;
        assert_true(is_due(&past, now));
        reviewed(&past, now, STORE_RIGHT);
    }
    assert_int_equal(at(&past, now + 400 * DAY).box, 0);
    answered(&past, now + DAY, STORE_GIVEN_UP, 0);
    assert_int_equal(at(&past, now + DAY).box, 1);
}

static void wrong_in_review_begins_again(void **state)
{
    (void)state;
    for (int shown = 0; shown < 2; shown++) {
        struct past past = {0};
        answered(&past, START, STORE_WRONG, 0);
        reviewed(&past, START + DAY, STORE_RIGHT);
        reviewed(&past, START + 4 * DAY, STORE_RIGHT);
        assert_int_equal(at(&past, START + 4 * DAY).box, 3);
        reviewed(&past, START + 11 * DAY, shown ? STORE_GIVEN_UP : STORE_WRONG);
        assert_int_equal(at(&past, START + 11 * DAY).box, 1);
        reviewed(&past, START + 11 * DAY + 60, STORE_RIGHT); /* with the help of the first, or with other numbers: it was not due */
        assert_int_equal(at(&past, START + 11 * DAY + 60).box, 1);
        assert_false(is_due(&past, START + 11 * DAY + HOUR));
        assert_true(is_due(&past, START + 12 * DAY));
    }
}

static void a_lesson_moves_nothing_on(void **state)
{
    (void)state;
    struct past past = {0};
    answered(&past, START, STORE_WRONG, 0);
    reviewed(&past, START + DAY, STORE_RIGHT);
    answered(&past, START + 30 * DAY, STORE_RIGHT, 0);
    assert_int_equal(at(&past, START + 30 * DAY).box, 2);
    assert_false(is_due(&past, START + 32 * DAY));
    assert_true(is_due(&past, START + 33 * DAY));
    answered(&past, START + 33 * DAY, STORE_WRONG, 0);
    assert_int_equal(at(&past, START + 33 * DAY).box, 1);
}

static void a_clock_set_back_loses_nothing(void **state)
{
    (void)state;
    struct past past = {0};
    answered(&past, START, STORE_WRONG, 0);
    assert_false(is_due(&past, START - HOUR)); /* as if it were just now */
    assert_in_range(at(&past, START - HOUR).due, START - HOUR, START + DAY);
    assert_true(is_due(&past, START - 300 * DAY)); /* the answer's own clock was wrong: better now than in a year */
    reviewed(&past, START - 300 * DAY, STORE_RIGHT);
    assert_int_equal(at(&past, START - 300 * DAY).box, 2);
    assert_false(is_due(&past, START - 299 * DAY));
    assert_true(is_due(&past, START - 297 * DAY));
    assert_true(is_due(&past, START)); /* set right again */
    reviewed(&past, START, STORE_RIGHT);
    assert_int_equal(at(&past, START).box, 3);
}

/* ---- a round ---- */

static struct course *course;
static struct store *store;

static int open_course(void **state)
{
    (void)state;
    app_write("course/course.lua", "course");
    app_write("course/one.lua", "one");
    app_write("course/two.lua", "two");
    unlink("progress.db");
    unlink("progress.db-wal");
    unlink("progress.db-shm");
    store = store_open("progress.db");
    if (!store || course_new_folder(&course, "course", "course", true, NULL) != 0)
        return -1;
    course_take(course, -1, app_course_scene(), NULL);
    course_take(course, 0, app_lesson_scene("one", "You will know."), NULL);
    course_take(course, 1, app_lesson_scene("two", ""), NULL);
    return 0;
}

static int close_course(void **state)
{
    (void)state;
    course_free(course);
    store_close(store);
    return 0;
}

static void stored(const char *lesson, const char *step, uint32_t attempt, enum store_verdict verdict, uint32_t sure, int64_t time)
{
    struct store_place place;
    assert_int_equal(store_lesson_place(store, "norms", lesson, &place), 0);
    struct store_answer answer = {.course = "norms", .lesson = lesson, .step = step, .seed = place.seed, .attempt = attempt, .answer = "3",
                                  .verdict = verdict, .mistake = "", .said = "", .sure = sure, .time = time};
    assert_int_equal(store_add_answer(store, &answer), 0);
    store_place_free(&place);
}

static struct review made(int64_t now)
{
    struct review review;
    assert_int_equal(review_make(&review, course, store, now, NULL), 0);
    return review;
}

static void assert_says(int64_t now, const char *expected)
{
    struct review review = made(now);
    struct strbuf words = {0};
    review_say(&review, &words);
    assert_string_equal(strbuf_string(&words), expected);
    strbuf_free(&words);
    review_free(&review);
}

static void a_round_asks_what_is_due_the_surest_mistakes_first(void **state)
{
    (void)state;
    stored("two", "mean", 0, STORE_WRONG, 0, START);
    stored("one", "mean", 0, STORE_GIVEN_UP, 0, START + HOUR);
    stored("one", "who", 0, STORE_WRONG, 3, START + 2 * HOUR);
    stored("two", "who", 0, STORE_RIGHT, 1, START + 3 * DAY);
    stored("one", "look", 0, STORE_WRONG, 0, START);  /* no question, by now */
    stored("one", "gone", 0, STORE_WRONG, 0, START);  /* no step */
    stored("lost", "mean", 0, STORE_WRONG, 0, START); /* no lesson */
    struct review review = made(START + 3 * DAY);
    assert_int_equal(review.count, 3);
    assert_string_equal(review.items[0].step, "who");
    assert_int_equal(review.items[0].lesson, 0);
    assert_int_equal(review.items[1].lesson, 1);
    assert_string_equal(review.items[1].step, "mean");
    assert_int_equal(review.items[2].lesson, 0);
    assert_in_range(review.next, START + 3 * DAY + 12 * HOUR, START + 4 * DAY);
    review_free(&review);
}

static void it_says_when_the_next_is_due(void **state)
{
    (void)state;
    struct review without;
    assert_int_equal(review_make(&without, course, NULL, START, NULL), 0);
    assert_int_equal(without.count, 0);
    review_free(&without);
    assert_says(START, "Nothing is due. What you answer wrongly, or rightly without being sure, comes back here.");
    stored("one", "mean", 0, STORE_WRONG, 0, START);
    assert_says(START, "Nothing is due; the next in 1 day.");
    assert_says(START + 14 * HOUR, "Nothing is due; the next in 6 hours.");
    assert_says(START + DAY, "1 question is due.");
    stored("one", "mean", STORE_REVIEW, STORE_RIGHT, 0, START + DAY);
    assert_says(START + DAY, "Nothing is due; the next in 3 days.");
    assert_says(START + 2 * DAY, "Nothing is due; the next in 2 days.");
    stored("two", "mean", 0, STORE_WRONG, 0, START + DAY);
    assert_says(START + 4 * DAY, "2 questions are due.");
}

/* ---- a session in review ---- */

static uint64_t number = 1;

static void turn_around(struct session *s)
{
    struct request request;
    session_request(s, &request);
    session_sent(s, ++number);
    session_take(s, app_reply(&request, number), NULL);
}

static void open_review(struct session *s, bool anew)
{
    assert_int_equal(session_open_review(s, course, 0, "mean", anew, store, NULL), 0);
    turn_around(s);
}

static void answer(struct session *s, const char *text)
{
    assert_int_equal(session_answer(s, text, 0, NULL), 0);
    turn_around(s);
}

/* In the lesson: attempt 1 of "mean", a hint open, answered wrongly; then on to "who". */
static void leave_traces(void)
{
    struct session s;
    assert_int_equal(session_open(&s, course, 0, store, NULL), 0);
    assert_true(session_goto(&s, "mean"));
    turn_around(&s);
    assert_int_equal(session_new_numbers(&s, NULL), 0);
    turn_around(&s);
    assert_int_equal(session_hint(&s), HINT_OPENED);
    answer(&s, "3");
    assert_true(session_goto(&s, "who"));
    turn_around(&s);
    session_close(&s);
}

static void assert_traces(void)
{
    struct session s;
    assert_int_equal(session_open(&s, course, 0, store, NULL), 0);
    assert_string_equal(s.step, "who");
    assert_false(s.settled[1]);
    assert_true(session_goto(&s, "mean"));
    assert_int_equal(s.attempt, 1);
    assert_int_equal(s.inputs.hints, 1);
    assert_string_equal(s.inputs.answer, "3");
    session_close(&s);
}

static void the_lesson_stays_as_it_was(void **state)
{
    (void)state;
    struct session s;
    leave_traces();
    char *last = store_last_lesson(store, "norms");
    assert_string_equal(last, "one");
    free(last);
    store_set_place(store, "norms", "two", "mean", PAGE_STEP);
    open_review(&s, true);
    assert_true(s.attempt == STORE_REVIEW);
    assert_null(s.inputs.answer);
    assert_int_equal(s.inputs.hints, 0);
    assert_int_equal(session_hint(&s), HINT_OPENED);
    assert_int_equal(session_hint(&s), HINT_OPENED);
    assert_int_equal(session_new_numbers(&s, NULL), 0);
    turn_around(&s);
    answer(&s, "2");
    assert_false(session_open_question(&s));
    assert_false(s.settled[1]);
    assert_false(session_next(&s));
    assert_false(session_back(&s));
    assert_false(session_goto(&s, "look"));
    session_close(&s);
    last = store_last_lesson(store, "norms");
    assert_string_equal(last, "two");
    free(last);
    assert_traces();
}

static void a_review_left_in_the_middle_goes_on(void **state)
{
    (void)state;
    struct session s;
    leave_traces();
    open_review(&s, true);
    assert_int_equal(session_new_numbers(&s, NULL), 0);
    turn_around(&s);
    assert_int_equal(session_hint(&s), HINT_OPENED);
    session_close(&s);
    open_review(&s, true); /* nothing was answered: the same numbers */
    assert_true(s.attempt == STORE_REVIEW + 1);
    assert_int_equal(s.inputs.hints, 1);
    answer(&s, "3");
    session_close(&s);
    open_review(&s, false); /* back to it in the same round */
    assert_true(s.attempt == STORE_REVIEW + 1);
    assert_string_equal(s.inputs.answer, "3");
    assert_true(session_open_question(&s));
    session_close(&s);
    open_review(&s, true); /* the next time */
    assert_true(s.attempt == STORE_REVIEW + 2);
    assert_null(s.inputs.answer);
    assert_int_equal(s.inputs.hints, 0);
    assert_true(session_give_up(&s));
    turn_around(&s);
    session_close(&s);
    open_review(&s, false);
    assert_true(s.inputs.give_up);
    session_close(&s);
    assert_traces();
}

static void a_right_answer_in_a_session_moves_it_on(void **state)
{
    (void)state;
    struct session s;
    int64_t now = review_clock();
    stored("one", "mean", 0, STORE_WRONG, 0, now - 2 * DAY);
    struct review review = made(now);
    assert_int_equal(review.count, 1);
    review_free(&review);
    open_review(&s, true);
    answer(&s, "2");
    session_close(&s);
    now = review_clock();
    review = made(now);
    assert_int_equal(review.count, 0);
    assert_in_range(review.next - now, 2 * DAY, 3 * DAY);
    review_free(&review);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_course, close_course)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_known_does_not_come_back),
        cmocka_unit_test(what_was_not_known_comes_back_the_next_day),
        cmocka_unit_test(right_after_all_changes_nothing_but_the_days),
        cmocka_unit_test(boxes_wait_longer_and_longer),
        cmocka_unit_test(wrong_in_review_begins_again),
        cmocka_unit_test(a_lesson_moves_nothing_on),
        cmocka_unit_test(a_clock_set_back_loses_nothing),
        TEST(a_round_asks_what_is_due_the_surest_mistakes_first),
        TEST(it_says_when_the_next_is_due),
        TEST(the_lesson_stays_as_it_was),
        TEST(a_review_left_in_the_middle_goes_on),
        TEST(a_right_answer_in_a_session_moves_it_on),
    };
    return cmocka_run_group_tests_name("review", tests, app_enter_folder, app_leave_folder);
}
