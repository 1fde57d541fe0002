/* The scratchpad on the terminal's side: lines asked for, earlier ones, completion; and its page. */
#include "sample_scene.h"

#include <cmocka.h>

#include "app/desk.h"
#include "app/scratchpad.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static void press(struct scratchpad *pad, enum key_code code)
{
    scratchpad_key(pad, (struct key){code, 0}, "");
}

static void type(struct scratchpad *pad, const char *text)
{
    scratchpad_key(pad, (struct key){KEY_CTRL_, 'u'}, "");
    for (; *text; text++)
        scratchpad_key(pad, (struct key){KEY_CHAR_, (unsigned char)*text}, "");
}

static struct scene_scratch reply(const char *output, const char *error, const char *value)
{
    return (struct scene_scratch){.output = output, .error = error, .value = value};
}

static void open_pad(struct scratchpad *pad)
{
    static const char *names[] = {".shape", ":max", ":mean", ":min", "math.pi", "mean_of", "tensor", "tensor.zeros", "x"}, *facts[] = {"mean_of", "x"};
    struct scene_scratch named = reply("", "", "");
    named.names = (struct strings){names, COUNT(names)};
    named.facts = (struct strings){facts, 2};
    *pad = (struct scratchpad){.open = true};
    assert_string_equal(scratchpad_wanted(pad), "");
    scratchpad_take(pad, &named);
    assert_null(scratchpad_wanted(pad));
    assert_string_equal(pad->facts, "mean_of, x");
}

static void compute(struct scratchpad *pad, const char *text, const struct scene_scratch *came)
{
    type(pad, text);
    assert_true(scratchpad_key(pad, (struct key){KEY_ENTER_, 0}, ""));
    assert_string_equal(scratchpad_wanted(pad), text);
    scratchpad_take(pad, came);
    assert_null(scratchpad_wanted(pad));
    assert_string_equal(pad->line.text, "");
}

static void a_line_is_asked_for_until_it_is_answered(void **state)
{
    (void)state;
    struct scratchpad pad;
    struct scratch_row *row;
    open_pad(&pad);
    assert_false(scratchpad_key(&pad, (struct key){KEY_ENTER_, 0}, ""));
    type(&pad, "x");
    assert_true(scratchpad_key(&pad, (struct key){KEY_ENTER_, 0}, ""));
    type(&pad, "y");
    assert_false(scratchpad_key(&pad, (struct key){KEY_ENTER_, 0}, "")); /* one at a time */
    struct scene_scratch came = reply("1\n2\n", "and no more", "2");
    scratchpad_take(&pad, &came);
    row = pad.rows;
    assert_int_equal(pad.row_count, 4);
    assert_int_equal(row[0].sort, SCRATCH_TYPED);
    assert_string_equal(row[2].text, "2");
    assert_int_equal(row[3].sort, SCRATCH_TROUBLE);
    assert_string_equal(pad.value, "2");
    compute(&pad, "nothing", &(struct scene_scratch){.output = "", .error = "", .value = ""});
    assert_null(pad.value);
    type(&pad, "z");
    scratchpad_key(&pad, (struct key){KEY_ENTER_, 0}, "");
    scratchpad_failed(&pad, "out of time");
    assert_null(scratchpad_wanted(&pad));
    assert_string_equal(pad.rows[pad.row_count - 1].text, "out of time");
    scratchpad_free(&pad);
}

static void earlier_lines_come_back_over_all_steps(void **state)
{
    (void)state;
    struct scratchpad pad;
    struct scene_scratch came = reply("1\n", "", "");
    open_pad(&pad);
    compute(&pad, "one", &came);
    compute(&pad, "two", &came);
    compute(&pad, "two", &came);
    press(&pad, KEY_UP_);
    assert_string_equal(pad.line.text, "two");
    press(&pad, KEY_UP_);
    press(&pad, KEY_UP_);
    assert_string_equal(pad.line.text, "one");
    press(&pad, KEY_DOWN_);
    press(&pad, KEY_DOWN_);
    assert_string_equal(pad.line.text, "");
    press(&pad, KEY_DOWN_);
    scratchpad_leave(&pad);
    assert_int_equal(pad.row_count, 0);
    assert_false(pad.open);
    press(&pad, KEY_UP_);
    assert_string_equal(pad.line.text, "two");
    for (int i = 0; i < 1000; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", i);
        compute(&pad, text, &came);
    }
    assert_true(pad.row_count <= 400 && pad.history_count <= 200);
    press(&pad, KEY_UP_);
    assert_string_equal(pad.line.text, "999");
    scratchpad_free(&pad);
}

static void names_are_completed(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *completed;
    } lines[] = {{"mea", "mean_of"}, {"1 + ten", "1 + tensor"}, {"tensor.z", "tensor.zeros"}, {"x:me", "x:mean"}, {"x[1]:mea", "x[1]:mean"}, {"x:m", "x:m"},
                 {"x.s", "x.shape"}, {"math.", "math.pi"}, {"q", "q"}, {"x.q", "x.q"}, {"f(x).sh", "f(x).shape"}};
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct scratchpad pad;
        open_pad(&pad);
        type(&pad, lines[i].typed);
        press(&pad, KEY_TAB_);
        assert_string_equal(pad.line.text, lines[i].completed);
        scratchpad_free(&pad);
    }
    struct scratchpad pad;
    open_pad(&pad);
    type(&pad, "x:m)");
    press(&pad, KEY_LEFT_);
    press(&pad, KEY_TAB_); /* there are several */
    assert_string_equal(pad.line.text, "x:m)");
    assert_int_equal(pad.rows[0].sort, SCRATCH_NAMES);
    assert_string_equal(pad.rows[0].text, "max  mean  min");
    scratchpad_free(&pad);
}

/* ---- the page ---- */

static void the_page_keeps_the_view_and_the_line_in_sight(void **state)
{
    (void)state;
    static const int sizes[][2] = {{80, 24}, {120, 32}, {100, 30}, {50, 16}};
    struct scene *scene = sample_tell();
    struct scratchpad pad;
    open_pad(&pad);
    struct scene_scratch came = reply("[1.5, 2.5]\n", "", "[1.5, 2.5]");
    for (int i = 0; i < 40; i++)
        compute(&pad, "x:mean(1)", &came);
    compute(&pad, "x:men()", &(struct scene_scratch){.output = "", .error = "unknown method `men`", .value = ""});
    type(&pad, "sqrt(2");
    for (size_t i = 0; i < 2 * COUNT(sizes); i++) {
        struct lesson_screen screen = sample_screen(scene, FOCUS_TEXT);
        struct scratch_screen shown;
        scratchpad_screen(&pad, true, &shown);
        screen.scratch = &shown;
        struct grid *grid = grid_new(sizes[i / 2][0], sizes[i / 2][1], i % 2);
        struct drawn drawn;
        struct strbuf text = {0};
        draw_lesson(grid, &screen, &drawn);
        grid_write(grid, false, &text);
        static const char *const words[] = {"sqrt(2", "unknown method `men`", "x:men()", "Enter compute"};
        for (size_t k = 0; k < COUNT(words); k++)
            if (!strstr(strbuf_string(&text), words[k]))
                fail_msg("no %s at %dx%d in\n%s", words[k], sizes[i / 2][0], sizes[i / 2][1], strbuf_string(&text));
        if (sizes[i / 2][0] >= 80)
            assert_non_null(strstr(strbuf_string(&text), "token"));
        assert_true(grid->cursor_row > 0);
        assert_true(drawn.scroll_max > 0);
        grid_free(grid);
        strbuf_free(&text);
    }
    scratchpad_free(&pad);
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_asked_for_until_it_is_answered),
        cmocka_unit_test(earlier_lines_come_back_over_all_steps),
        cmocka_unit_test(names_are_completed),
        cmocka_unit_test(the_page_keeps_the_view_and_the_line_in_sight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
