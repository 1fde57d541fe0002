/* "NAME=VALUE" as a person writes it, and where knobs stop. */
#include "app_help.h"

#include <math.h>

#include "app/assign.h"
#include "app/turn.h"

static struct words *words;
static struct scene_step step;
static struct inputs inputs;
static struct error err;

static const char *options[] = {"pre", "post"}, *names[] = {"pre-norm", "post-norm"};
static const char *axes[] = {"token", "feature"};
static struct scene_knob knobs[] = {
    {.name = "eps", .label = "ε", .kind = KNOB_LOG, .from = 1e-12, .to = 1, .at = 1e-5, .value = 1e-5, .stops = 48},
    {.name = "shift", .label = "shift", .kind = KNOB_LINEAR, .from = -1, .to = 1, .value = 0, .stops = 20},
    {.name = "depth", .label = "depth", .kind = KNOB_INT, .from = 1, .to = 64, .value = 4},
    {.name = "skip", .label = "skip", .kind = KNOB_SWITCH},
    {.name = "order", .label = "order", .kind = KNOB_PICK, .options = {options, 2}, .option_names = {names, 2}},
};
static struct scene_axis scene_axes[] = {{"token", 2, 1}, {"feature", 3, 1}};
static struct view stages = {.stages = 4}, row = {.kind = VIEW_ROW, .children = &stages, .child_count = 1};
static struct scene_editable data[] = {{.name = "x", .rank = 2, .extents = {2, 3}, .axes = {axes, 2}}};

static int prepare(void **state)
{
    (void)state;
    words = words_new();
    inputs = (struct inputs){0};
    err = (struct error){0};
    step = (struct scene_step){.knobs = knobs, .knob_count = 5, .axes = scene_axes, .axis_count = 2, .view = &row,
                               .editables = data, .editable_count = 1};
    return words ? 0 : -1;
}

static int finish(void **state)
{
    (void)state;
    words_free(words);
    return 0;
}

static void put(const char *name, const char *value)
{
    assert_int_equal(assign(&inputs, words, &step, name, value, &err), 0);
}

static void refused(const char *name, const char *value, const char *because)
{
    assert_int_equal(assign(&inputs, words, &step, name, value, &err), -1);
    assert_string_equal(err.text, because);
}

static void knobs_take_what_they_can(void **state)
{
    (void)state;
    put("eps", "1e-3");
    assert_true(inputs.settings[0].number == 1e-3);
    put("ε", "0.5");
    assert_int_equal(inputs.setting_count, 1); /* the same knob, by its label */
    put("shift", "\xe2\x88\x92" "0.5");
    assert_true(inputs_setting(&inputs, "shift")->number == -0.5);
    put("skip", "on");
    assert_true(inputs_setting(&inputs, "skip")->on);
    put("order", "post-norm");
    assert_string_equal(inputs_setting(&inputs, "order")->word, "post");
    refused("eps", "2", "eps goes from 1e-12 to 1; 2 is outside");
    refused("eps", "nan", "eps goes from 1e-12 to 1; nan is outside");
    refused("eps", "0x1", "eps takes a number, not \"0x1\"");
    refused("eps", "1e-3,", "eps takes a number, not \"1e-3,\"");
    refused("depth", "2.5", "depth takes whole numbers, not 2.5");
    refused("skip", "maybe", "skip is on or off, not \"maybe\"");
    refused("order", "pos", "order cannot be \"pos\"; did you mean \"post\"?");
}

static void cells_cursor_and_stage(void **state)
{
    (void)state;
    put("x[2][3]", "7");
    put("x[2][3]", "8");
    assert_int_equal(inputs.edit_count, 1);
    assert_true(inputs.edits[0].value == 8);
    assert_int_equal(inputs.edits[0].index[1], 3);
    put("cursor.token", "2");
    put("feature", "3");
    assert_int_equal(inputs.cursor_count, 2);
    put("stage", "4");
    assert_int_equal(inputs.stage, 4);
    refused("x[2][4]", "1", "x[2][4]: the index 4 is outside; it goes from 1 to 3");
    refused("x[0][1]", "1", "\"x[0][1]\" names no cell; a cell is written like x[1]");
    refused("x[2]", "1", "\"x[2]\" names no cell: x takes 2 indices");
    refused("x[2][3]y", "1", "\"x[2][3]y\" names no cell: x takes 2 indices");
    refused("x[99999999999999999999][1]", "1", "\"x[99999999999999999999][1]\" names no cell; a cell is written like x[1]");
    refused("x[2][3]", "big", "x[2][3] takes a number, not \"big\"");
    refused("cursor.token", "3", "token goes from 1 to 2, not \"3\"");
    refused("stage", "5", "stage goes from 0, the whole, to 4, not \"5\"");
}

static void unknown_names_meet_the_nearest(void **state)
{
    (void)state;
    refused("esp", "1", "there is no \"esp\" to set in this step; did you mean \"eps\"?");
    refused("cursor.tokn", "1", "the cursor has no axis \"tokn\" here; did you mean \"cursor.token\"?");
    refused("nothing-like-it", "1", "there is no \"nothing-like-it\" to set in this step; its first knob is \"eps\"");
    assert_true(assign_knows(&step, "eps"));
    assert_true(assign_knows(&step, "x[1][1]"));
    assert_false(assign_knows(&step, "x"));
    assert_false(assign_knows(&step, "1"));
}

static void a_log_knob_stops_at_round_numbers(void **state)
{
    (void)state;
    double value = 1e-5;
    for (int i = 0; i < 4; i++)
        value = knob_turned(&knobs[0], value, 1);
    assert_true(value == 1e-4); /* twelve decades, 48 stops: four to a decade */
    for (int i = 0; i < 4; i++)
        value = knob_turned(&knobs[0], value, -1);
    assert_true(value == 1e-5);
    assert_true(knob_turned(&knobs[0], 2e-5, 1) == 3.16e-5); /* beside a stop: on to the next */
    assert_true(knob_turned(&knobs[0], 2e-5, -1) == 1.78e-5);
    assert_true(knob_turned(&knobs[0], 1, 1) == 1);
    assert_true(knob_turned(&knobs[0], 1e-12, -1) == 1e-12);
    assert_true(knob_turned(&knobs[0], 1e-5, -2) == 1e-12);
    assert_true(knob_turned(&knobs[0], 1e-5, 2) == 1);
}

static void the_other_knobs_turn_by_one(void **state)
{
    (void)state;
    double value = 0;
    for (int i = 0; i < 3; i++)
        value = knob_turned(&knobs[1], value, 1);
    assert_true(value == 0.3);
    assert_true(knob_turned(&knobs[2], 4, 1) == 5);
    assert_true(knob_turned(&knobs[2], 64, 1) == 64);
    assert_true(knob_turned(&knobs[3], 0, -1) == 0);
    assert_true(knob_turned(&knobs[3], 0, 1) == 1);
    assert_true(knob_turned(&knobs[4], 1, 1) == 1);
    assert_int_equal(knob_put(&inputs, words, &knobs[4], 1, &err), 0);
    assert_string_equal(inputs.settings[0].word, "post");
}

/* Every stop is reached, and none is met twice, whatever the ends. */
static void every_stop_is_met_once(void **state)
{
    (void)state;
    const double ends[][2] = {{1e-12, 1}, {1e-3, 1e3}, {0.5, 2}, {1, 1.5}, {1e-30, 1e30}, {7, 9}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        for (uint32_t count = 1; count <= 200; count += 7) {
            struct scene_knob knob = {.kind = KNOB_LOG, .from = ends[i][0], .to = ends[i][1], .stops = count};
            double value = knob.from;
            for (uint32_t turned = 0; turned < count; turned++) {
                double next = knob_turned(&knob, value, 1);
                assert_true(next > value);
                value = next;
            }
            assert_true(value == knob.to);
            for (uint32_t turned = 0; turned < count; turned++)
                value = knob_turned(&knob, value, -1);
            assert_true(value == knob.from);
        }
    }
}

static void the_way_between_is_even(void **state)
{
    (void)state;
    assert_true(knob_between(&knobs[0], 1e-12, 1e-4, 0.5) == 1e-8);
    assert_true(knob_between(&knobs[0], 1e-12, 1e-3, 1) == 1e-3);
    assert_true(knob_between(&knobs[2], 1, 10, 0.5) == 6 || knob_between(&knobs[2], 1, 10, 0.5) == 5);
    assert_true(knob_between(&knobs[3], 0, 1, 0.4) == 0);
    assert_true(knob_between(&knobs[3], 0, 1, 0.6) == 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, prepare, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(knobs_take_what_they_can), TEST(cells_cursor_and_stage), TEST(unknown_names_meet_the_nearest),
        TEST(a_log_knob_stops_at_round_numbers), TEST(the_other_knobs_turn_by_one), TEST(every_stop_is_met_once),
        TEST(the_way_between_is_even),
    };
    return cmocka_run_group_tests_name("assign", tests, NULL, NULL);
}
