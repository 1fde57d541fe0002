/* One learner in one lesson: what is asked, what is taken, what is stored, and when. */
#include "app_help.h"

#include "app/desk.h"
#include "app/session.h"
#include "app/turn.h"

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
    return 0;
}

static int close_course(void **state)
{
    (void)state;
    course_free(course);
    store_close(store);
    return 0;
}

static uint64_t number = 1;

/* Sends the session's request and lets the engine answer it. */
static enum session_took turn_around(struct session *s)
{
    struct request request;
    session_request(s, &request);
    session_sent(s, ++number);
    return session_take(s, app_reply(&request, number), NULL);
}

static void open_at(struct session *s, const char *step)
{
    assert_int_equal(session_open(s, course, 0, store, NULL), 0);
    if (step)
        assert_true(session_goto(s, step));
    turn_around(s);
}

static struct store_step known_step(const char *id)
{
    static char said[64], answer[64];
    struct store_step *steps, found = {0};
    size_t count;
    assert_int_equal(store_steps(store, "norms", "one", &steps, &count), 0);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(steps[i].step, id) != 0)
            continue;
        found = steps[i];
        snprintf(said, sizeof said, "%s", steps[i].last_said);
        snprintf(answer, sizeof answer, "%s", steps[i].last_answer);
        found.last_said = said;
        found.last_answer = answer;
    }
    store_steps_free(steps, count);
    return found;
}

static void walks_forth_and_back(void **state)
{
    (void)state;
    struct session s;
    open_at(&s, NULL);
    assert_int_equal(s.page, PAGE_GOAL);
    assert_false(session_back(&s));
    assert_true(session_next(&s));
    assert_string_equal(s.step, "look");
    assert_true(session_next(&s));
    assert_true(session_next(&s));
    assert_string_equal(s.step, "who");
    assert_true(session_next(&s));
    assert_int_equal(s.page, PAGE_END);
    assert_false(session_next(&s));
    assert_true(session_back(&s));
    assert_string_equal(s.step, "who");
    session_close(&s);
}

static void a_lesson_without_a_goal_begins_with_its_first_step(void **state)
{
    (void)state;
    scene_free(course->lessons[0].outline);
    course->lessons[0].outline = NULL;
    struct session s;
    assert_int_equal(session_open(&s, course, 0, store, NULL), 0);
    struct request request;
    session_request(&s, &request);
    assert_int_equal(request.kind, REQUEST_LESSON);
    session_sent(&s, ++number);
    struct scene *scene = app_lesson_scene("one", "");
    scene->number = number;
    assert_int_equal(session_take(&s, scene, NULL), SESSION_AGAIN);
    session_close(&s);
    course_take(course, 0, app_lesson_scene("one", ""), NULL);
    assert_int_equal(session_open(&s, course, 0, store, NULL), 0);
    assert_int_equal(s.page, PAGE_STEP);
    assert_string_equal(s.step, "look");
    session_close(&s);
}

static void a_verdict_is_stored_before_it_is_shown(void **state)
{
    (void)state;
    struct session s;
    open_at(&s, "mean");
    assert_int_equal(session_answer(&s, "3", 2, NULL), 0);
    assert_true(session_judging(&s));
    assert_int_equal(known_step("mean").tries, 0);
    assert_int_equal(turn_around(&s), SESSION_SHOW);
    struct store_step step = known_step("mean");
    assert_int_equal(step.tries, 1);
    assert_int_equal(step.last_verdict, STORE_WRONG);
    assert_string_equal(step.last_said, "You divided by n - 1.");
    assert_int_equal(step.last_sure, 0); /* not a prediction: nobody asked how sure */
    assert_true(session_open_question(&s));
    assert_true(session_judged(&s, "3"));
    assert_false(session_judged(&s, "4"));
    turn_around(&s); /* the same answer in a later request is not another try */
    assert_int_equal(known_step("mean").tries, 1);
    assert_int_equal(session_answer(&s, "2", 2, NULL), 0);
    turn_around(&s);
    assert_true(known_step("mean").right);
    assert_false(session_open_question(&s));
    assert_true(s.settled[1]);
    assert_int_equal(session_answer(&s, "5", 2, NULL), -1);
    session_close(&s);
}

/* The reply to the request that carried the answer comes although a newer one is under way. */
static void a_verdict_on_the_way_is_stored_too(void **state)
{
    (void)state;
    struct session s;
    struct request first;
    open_at(&s, "mean");
    assert_int_equal(session_answer(&s, "2", 2, NULL), 0);
    session_request(&s, &first);
    session_sent(&s, ++number);
    struct scene *judged = app_reply(&first, number);
    assert_int_equal(session_turn(&s, 0, 1, NULL), 0);
    session_sent(&s, ++number);
    assert_int_equal(session_take(&s, judged, NULL), SESSION_SHOW);
    assert_true(known_step("mean").right);
    session_close(&s);
}

static void an_unread_answer_never_counts(void **state)
{
    (void)state;
    struct session s;
    open_at(&s, "mean");
    assert_int_equal(session_answer(&s, "what", 2, NULL), 0);
    turn_around(&s);
    assert_int_equal(session_question(&s)->verdict, VERDICT_UNREAD);
    assert_int_equal(known_step("mean").tries, 0);
    session_close(&s);
}

static void replies_to_another_step_are_dropped(void **state)
{
    (void)state;
    struct session s;
    struct request request;
    open_at(&s, "look");
    session_request(&s, &request);
    session_sent(&s, ++number);
    struct scene *late = app_reply(&request, number);
    assert_true(session_next(&s));
    assert_int_equal(session_take(&s, late, NULL), SESSION_STALE);
    assert_null(session_step(&s));
    session_request(&s, &request);
    session_sent(&s, ++number);
    assert_int_equal(session_take(&s, app_reply(&request, number - 1), NULL), SESSION_STALE);
    assert_int_equal(session_take(&s, app_reply(&request, number), NULL), SESSION_SHOW);
    assert_string_equal(session_step(&s)->id, "mean");
    session_close(&s);
}

static void a_failure_goes_back_to_what_is_shown(void **state)
{
    (void)state;
    struct session s;
    open_at(&s, "mean");
    assert_int_equal(session_turn(&s, 0, 1, NULL), 0);
    turn_around(&s);
    double shown = s.inputs.settings[0].number;
    assert_int_equal(session_turn(&s, 0, 2, NULL), 0);
    assert_int_equal(session_answer(&s, "2", 2, NULL), 0);
    session_sent(&s, ++number);
    session_failed(&s);
    assert_true(s.inputs.settings[0].number == shown);
    assert_null(s.inputs.answer);
    assert_false(session_judging(&s));
    assert_int_equal(known_step("mean").tries, 0);
    session_close(&s);
}

static double fail_turn(struct session *s, int by)
{
    assert_int_equal(session_turn(s, 0, by, NULL), 0);
    double tried = s->inputs.settings[0].number;
    session_sent(s, ++number);
    struct scene *broken = app_lesson_scene("one", "");
    broken->number = number;
    broken->error = "one.lua:3: boom";
    assert_int_equal(session_take(s, broken, NULL), SESSION_SHOW);
    return tried;
}

static void a_knob_goes_past_where_there_is_nothing_to_show(void **state)
{
    (void)state;
    struct session s;
    open_at(&s, "look");
    const struct scene_knob *knob = &session_step(&s)->knobs[0];
    double start = knob->value, first = knob_turned(knob, start, 1), second = knob_turned(knob, first, 1);
    assert_true(fail_turn(&s, 1) == first);
    assert_true(fail_turn(&s, 1) == second);
    assert_int_equal(session_turn(&s, 0, 1, NULL), 0);
    double third = s.inputs.settings[0].number;
    assert_true(third == knob_turned(&session_step(&s)->knobs[0], second, 1));
    turn_around(&s);
    assert_true(fail_turn(&s, -1) == second);
    assert_true(fail_turn(&s, 1) == knob_turned(&session_step(&s)->knobs[0], third, 1)); /* the other way: from what is shown */
    assert_int_equal(session_turn(&s, 0, 1, NULL), 0);
    session_sent(&s, ++number);
    session_failed(&s); /* given up: what is there is not known, and the next turn asks again */
    assert_int_equal(session_turn(&s, 0, 1, NULL), 0);
    assert_true(s.inputs.settings[0].number == knob_turned(&session_step(&s)->knobs[0], third, 1));
    session_close(&s);
}

static void an_error_without_a_step_keeps_the_scene(void **state)
{
    (void)state;
    struct session s;
    open_at(&s, "look");
    assert_int_equal(session_turn(&s, 0, 1, NULL), 0);
    session_sent(&s, ++number);
    struct scene *broken = app_lesson_scene("one", "");
    broken->number = number;
    broken->error = "one.lua:3: boom";
    assert_int_equal(session_take(&s, broken, NULL), SESSION_SHOW);
    assert_non_null(session_step(&s));
    assert_int_equal(s.inputs.setting_count, 0);
    session_close(&s);
}

static void reopening_resumes(void **state)
{
    (void)state;
    struct session s;
    struct error err;
    open_at(&s, "mean");
    uint64_t seed = s.seed;
    assert_int_equal(session_new_numbers(&s, &err), 0);
    turn_around(&s);
    assert_int_equal(session_hint(&s), HINT_OPENED);
    assert_int_equal(session_answer(&s, "3", 2, NULL), 0);
    turn_around(&s);
    session_close(&s);

    struct desk desk;
    desk_clear(&desk);
    assert_int_equal(session_open(&s, course, 0, store, NULL), 0);
    turn_around(&s);
    desk_settle(&desk, &s);
    assert_string_equal(s.step, "mean");
    assert_true(s.seed == seed);
    assert_int_equal(s.attempt, 1);
    assert_int_equal(s.inputs.hints, 1);
    assert_int_equal(session_question(&s)->verdict, VERDICT_WRONG);
    assert_int_equal(known_step("mean").tries, 1); /* judged again for show, not stored again */
    assert_string_equal(desk.field.text, "3");
    assert_int_equal(desk.focus, FOCUS_FIELD);
    session_close(&s);
}

static void new_numbers_begin_the_question_anew(void **state)
{
    (void)state;
    struct session s;
    struct error err;
    open_at(&s, "mean");
    assert_int_equal(session_answer(&s, "2", 2, NULL), 0);
    turn_around(&s);
    assert_int_equal(session_turn(&s, 0, 1, NULL), 0);
    assert_int_equal(session_new_numbers(&s, &err), 0);
    assert_int_equal(s.inputs.setting_count, 0);
    assert_null(s.inputs.answer);
    turn_around(&s);
    assert_true(session_open_question(&s));
    assert_true(s.settled[1]); /* nothing more is owed */
    assert_int_equal(known_step("mean").attempt, 1);
    assert_true(session_goto(&s, "look"));
    turn_around(&s);
    assert_int_equal(session_new_numbers(&s, &err), -1);
    session_close(&s);
}

static void hints_then_the_answer(void **state)
{
    (void)state;
    struct session s;
    open_at(&s, "mean");
    assert_int_equal(session_hint(&s), HINT_OPENED);
    assert_int_equal(session_hint(&s), HINT_OPENED);
    assert_int_equal(session_hint(&s), HINT_LAST);
    assert_int_equal(known_step("mean").hints, 2);
    assert_true(session_give_up(&s));
    turn_around(&s);
    assert_false(session_open_question(&s));
    struct store_step step = known_step("mean");
    assert_int_equal(step.last_verdict, STORE_GIVEN_UP);
    assert_false(step.right);
    assert_true(step.settled);
    assert_int_equal(session_hint(&s), HINT_NONE);
    session_close(&s);
    open_at(&s, NULL); /* and is given up still tomorrow */
    assert_true(s.inputs.give_up);
    session_close(&s);
}

static void a_prediction_travels_once(void **state)
{
    (void)state;
    struct session s;
    struct error err;
    open_at(&s, "who");
    assert_int_equal(session_turn(&s, 0, 1, &err), -1); /* locked */
    assert_false(session_look(&s, 0, 1));
    assert_int_equal(session_hint(&s), HINT_NONE);
    assert_int_equal(session_answer(&s, "both", 3, NULL), 0);
    assert_int_equal(turn_around(&s), SESSION_SHOW);
    assert_true(session_step(&s)->knobs[0].value == 1e-12); /* sets out from where it was shown */
    struct store_step step = known_step("who");
    assert_int_equal(step.last_sure, 3);
    assert_true(step.predicted);
    int frames = 0;
    double last = 0;
    while (s.travel_frame > 0) {
        assert_true(session_travel_step(&s));
        turn_around(&s);
        assert_true(session_step(&s)->knobs[0].value > last);
        last = session_step(&s)->knobs[0].value;
        frames++;
    }
    assert_int_equal(frames, TRAVEL_FRAMES);
    assert_true(last == 1e-3);
    assert_false(session_travel_step(&s));
    assert_int_equal(session_turn(&s, 0, 1, NULL), 0); /* and is the learner's */
    session_close(&s);

    assert_int_equal(session_open(&s, course, 0, store, NULL), 0);
    assert_int_equal(turn_around(&s), SESSION_AGAIN); /* tomorrow it stands at its end at once */
    assert_int_equal(turn_around(&s), SESSION_SHOW);
    assert_int_equal(s.travel_frame, 0);
    assert_true(session_step(&s)->knobs[0].value == 1e-3);
    session_close(&s);
}

static void the_focus_is_where_the_work_is(void **state)
{
    (void)state;
    struct session s;
    struct desk desk;
    open_at(&s, "look");
    desk_clear(&desk);
    desk_settle(&desk, &s);
    assert_int_equal(desk.focus, FOCUS_KNOB);
    desk_cycle(&desk, &s, false);
    assert_int_equal(desk.focus, FOCUS_VIEW);
    desk_cycle(&desk, &s, false);
    assert_int_equal(desk.focus, FOCUS_TEXT);
    desk_cycle(&desk, &s, false);
    assert_int_equal(desk.focus, FOCUS_KNOB);
    desk_cycle(&desk, &s, true);
    assert_int_equal(desk.focus, FOCUS_TEXT);
    assert_true(session_goto(&s, "who"));
    turn_around(&s);
    desk_clear(&desk);
    desk_settle(&desk, &s);
    assert_int_equal(desk.focus, FOCUS_CHOICE);
    assert_int_equal(session_answer(&s, "quiet", 1, NULL), 0);
    turn_around(&s);
    desk_settle(&desk, &s); /* the choice is made: its place is gone */
    assert_int_equal(desk.focus, FOCUS_KNOB);
    session_close(&s);
}

static void a_cell_is_edited_where_the_cursor_is(void **state)
{
    (void)state;
    struct session s;
    struct desk desk;
    struct request request;
    open_at(&s, "look");
    desk_clear(&desk);
    desk_settle(&desk, &s);
    assert_true(session_look(&s, 0, 1));
    assert_false(session_look(&s, 0, 1)); /* the end of the axis */
    assert_true(desk_edit_cell(&desk, &s));
    assert_string_equal(desk.cell_name, "x[3]");
    assert_string_equal(desk.cell.text, "1.5");
    desk.cell_edit.value = 7;
    assert_int_equal(session_edit(&s, &desk.cell_edit, NULL), 0);
    session_request(&s, &request);
    assert_int_equal(request.edit_count, 1);
    assert_string_equal(request.edits[0].name, "x");
    assert_int_equal(request.edits[0].index[0], 3);
    assert_true(request.edits[0].value == 7);
    assert_int_equal(request.cursors[0].index, 3);
    session_close(&s);
}

/* As turn_around, in a step with a stack of three layers over batch, token and feature. */
static void turn_around_stack(struct session *s)
{
    struct request request;
    session_request(s, &request);
    session_sent(s, ++number);
    struct scene *scene = app_reply(&request, number);
    static const struct scene_axis axes[] = {{"batch", 2, 1}, {"token", 3, 1}, {"feature", 4, 1}, {"layer", 3, 1}};
    scene->step->axis_count = 4;
    scene->step->axes = arena_zero(scene->arena, 4, sizeof axes[0]);
    memcpy(scene->step->axes, axes, sizeof axes);
    scene->step->branches = 3;
    session_take(s, scene, NULL);
}

static void branches_are_switched_off_and_on(void **state)
{
    (void)state;
    struct session s;
    struct request request;
    open_at(&s, "look");
    assert_false(session_switch(&s, 1)); /* there are none */
    assert_int_equal(desk_layer(&s), 0);
    turn_around_stack(&s);
    assert_int_equal(desk_layer(&s), 1);
    assert_true(session_look(&s, 3, 1));
    assert_int_equal(desk_layer(&s), 2);
    assert_true(session_switch(&s, 2));
    assert_true(session_switch(&s, 3));
    assert_false(session_switch(&s, 4));
    assert_false(session_switch(&s, 0));
    session_request(&s, &request);
    assert_int_equal(request.off, 6);
    assert_true(session_switch(&s, 2));
    assert_true(session_is_off(&s, 3) && !session_is_off(&s, 2));
    assert_int_equal(session_assign(&s, "off", "1, 2", NULL), 0);
    assert_int_equal(s.inputs.off, 3);
    assert_int_equal(session_assign(&s, "off", "4", NULL), -1);
    assert_int_equal(session_assign(&s, "off", "none", NULL), 0);
    assert_int_equal(s.inputs.off, 0);
    session_switch(&s, 1);
    assert_true(session_reset_view(&s));
    assert_int_equal(s.inputs.off, 0);
    session_close(&s);
}

static void past_an_end_the_cursor_goes_on_in_the_next_batch(void **state)
{
    (void)state;
    struct session s;
    open_at(&s, "look");
    turn_around_stack(&s);
    static const uint32_t way[][2] = {{1, 2}, {1, 3}, {2, 1}, {2, 2}, {2, 3}};
    for (size_t i = 0; i < sizeof way / sizeof way[0]; i++) {
        assert_true(session_look_through(&s, 1, 0, 1));
        assert_int_equal(inputs_index(&s.inputs, &session_step(&s)->axes[0]), way[i][0]);
        assert_int_equal(inputs_index(&s.inputs, &session_step(&s)->axes[1]), way[i][1]);
    }
    assert_false(session_look_through(&s, 1, 0, 1));
    for (int i = 0; i < 3; i++)
        assert_true(session_look_through(&s, 1, 0, -1));
    assert_int_equal(inputs_index(&s.inputs, &session_step(&s)->axes[0]), 1);
    assert_int_equal(inputs_index(&s.inputs, &session_step(&s)->axes[1]), 3);
    session_close(&s);
}

static void nothing_is_stored_without_a_store(void **state)
{
    (void)state;
    struct session s;
    assert_int_equal(session_open(&s, course, 0, NULL, NULL), 0);
    session_set_seed(&s, 7);
    assert_true(session_goto(&s, "mean"));
    turn_around(&s);
    assert_int_equal(session_answer(&s, "2", 2, NULL), 0);
    turn_around(&s);
    assert_false(session_open_question(&s));
    assert_true(s.settled[1]);
    assert_int_equal(known_step("mean").tries, 0);
    session_close(&s);
}

/* The file has lost two of its steps since the course was read. */
static void flags_go_with_the_steps_that_are_shown(void **state)
{
    (void)state;
    struct session s;
    struct desk desk;
    struct request request;
    struct lesson_screen screen;
    open_at(&s, "look");
    session_request(&s, &request);
    session_sent(&s, ++number);
    struct scene *shorter = app_reply(&request, number);
    shorter->lesson->step_count = 1;
    session_take(&s, shorter, NULL);
    desk_clear(&desk);
    desk_screen(&desk, &s, &screen);
    assert_true(screen.settled == s.settled);
    assert_true(session_next(&s)); /* the last page, drawn from what the course knew */
    desk_screen(&desk, &s, &screen);
    assert_int_equal(screen.scene->lesson->step_count, 3);
    assert_null(screen.settled);
    session_close(&s);
}

static void an_option_is_its_number_or_its_id(void **state)
{
    (void)state;
    struct session s;
    open_at(&s, "who");
    assert_string_equal(session_option(&s, "2"), "quiet");
    assert_string_equal(session_option(&s, "both"), "both");
    static const char *const others[] = {"0", "3", "1.5", "-1", "nan", ""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_true(session_option(&s, others[i]) == others[i]);
    assert_true(session_goto(&s, "mean"));
    turn_around(&s);
    assert_string_equal(session_option(&s, "2"), "2");
    session_close(&s);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_course, close_course)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(walks_forth_and_back),
        TEST(a_lesson_without_a_goal_begins_with_its_first_step),
        TEST(a_verdict_is_stored_before_it_is_shown),
        TEST(a_verdict_on_the_way_is_stored_too),
        TEST(an_unread_answer_never_counts),
        TEST(replies_to_another_step_are_dropped),
        TEST(a_failure_goes_back_to_what_is_shown),
        TEST(a_knob_goes_past_where_there_is_nothing_to_show),
        TEST(an_error_without_a_step_keeps_the_scene),
        TEST(reopening_resumes),
        TEST(new_numbers_begin_the_question_anew),
        TEST(hints_then_the_answer),
        TEST(a_prediction_travels_once),
        TEST(the_focus_is_where_the_work_is),
        TEST(a_cell_is_edited_where_the_cursor_is),
        TEST(branches_are_switched_off_and_on),
        TEST(past_an_end_the_cursor_goes_on_in_the_next_batch),
        TEST(nothing_is_stored_without_a_store),
        TEST(flags_go_with_the_steps_that_are_shown),
        TEST(an_option_is_its_number_or_its_id),
    };
    return cmocka_run_group_tests_name("session", tests, app_enter_folder, app_leave_folder);
}
