/* What the learner types: a line under the keys, a command in plain mode, a name that is nearly right. */
#include "app_help.h"

#include "app/command.h"
#include "app/line.h"
#include "app/nearest.h"

static void type(struct line *line, uint32_t rune)
{
    assert_true(line_key(line, (struct key){KEY_CHAR_, rune}));
}

static void press(struct line *line, enum key_code code)
{
    assert_true(line_key(line, (struct key){code, 0}));
}

static void a_line_moves_by_characters(void **state)
{
    (void)state;
    struct line line = {0};
    line_set(&line, "aε");
    assert_int_equal(line.cursor, 3);
    type(&line, 'e');
    type(&line, 0x301); /* an accent that joins the e */
    press(&line, KEY_LEFT_);
    assert_int_equal(line.cursor, 3);
    press(&line, KEY_LEFT_);
    assert_int_equal(line.cursor, 1);
    press(&line, KEY_DELETE_);
    assert_string_equal(line.text, "ae\xcc\x81");
    press(&line, KEY_END_);
    press(&line, KEY_BACKSPACE_);
    assert_string_equal(line.text, "a");
    press(&line, KEY_BACKSPACE_);
    press(&line, KEY_BACKSPACE_);
    press(&line, KEY_LEFT_);
    press(&line, KEY_RIGHT_);
    press(&line, KEY_DELETE_);
    assert_string_equal(line.text, "");
}

static void a_line_has_an_end(void **state)
{
    (void)state;
    struct line line = {0};
    for (int i = 0; i < 2 * LINE_MAX_BYTES; i++)
        line_key(&line, (struct key){KEY_CHAR_, 0x3b5});
    assert_true(line.length <= LINE_MAX_BYTES);
    assert_int_equal(line.length % 2, 0);
    char text[LINE_MAX_BYTES + 3];
    memset(text, 'x', sizeof text);
    text[LINE_MAX_BYTES - 1] = '\xce';
    text[LINE_MAX_BYTES] = '\xb5';
    text[LINE_MAX_BYTES + 1] = '\0';
    line_set(&line, text);
    assert_int_equal(line.length, LINE_MAX_BYTES - 1); /* the character is left whole, or out */
}

static void control_characters_are_no_text(void **state)
{
    (void)state;
    struct line line = {0};
    assert_false(line_key(&line, (struct key){KEY_CHAR_, 0x1b}));
    assert_false(line_key(&line, (struct key){KEY_CHAR_, 0x202e}));
    assert_false(line_key(&line, (struct key){KEY_F_, 2}));
    assert_int_equal(line.length, 0);
}

static void words_and_line_can_be_cut(void **state)
{
    (void)state;
    struct line line = {0};
    line_set(&line, "1 -2 3");
    assert_true(line_key(&line, (struct key){KEY_CTRL_, 'w'}));
    assert_string_equal(line.text, "1 -2 ");
    assert_true(line_key(&line, (struct key){KEY_CTRL_, 'w'}));
    assert_string_equal(line.text, "1 ");
    assert_true(line_key(&line, (struct key){KEY_CTRL_, 'u'}));
    assert_string_equal(line.text, "");
}

static void expect(const char *typed, enum verb verb, const char *name, const char *rest)
{
    char line[128];
    snprintf(line, sizeof line, "%s", typed);
    struct command command = command_read(line);
    assert_int_equal(command.verb, verb);
    assert_string_equal(command.name, name);
    assert_string_equal(command.rest, rest);
}

static void commands_are_read(void **state)
{
    (void)state;
    expect("  \n", VERB_NOTHING, "", "");
    expect("next\r\n", VERB_NEXT, "", "");
    expect("next one", VERB_SET, "next", "one"); /* an answer may begin like a command */
    expect("answer  [1, 2]\n", VERB_ANSWER, "", "[1, 2]");
    expect("answer", VERB_ANSWER, "", "");
    expect("answers", VERB_OTHER, "", "answers");
    expect("show answer", VERB_SHOW_ANSWER, "", "");
    expect("sure 3", VERB_SURE, "", "3");
    expect("open 2", VERB_OPEN, "", "2");
    expect("eps 1e-3", VERB_SET, "eps", "1e-3");
    expect("eps=1e-3", VERB_SET, "eps", "1e-3");
    expect("x[2][3] = -1", VERB_SET, "x[2][3]", "-1");
    expect("-1.2 0 1.2", VERB_SET, "-1.2", "0 1.2");
    expect("2/3", VERB_OTHER, "", "2/3");
}

static void nearest_is(const char *wanted, const char *best)
{
    struct nearest nearest = {.wanted = wanted};
    static const char *const known[] = {"epsilon", "normalize", "mean", "which-axis"};
    for (size_t i = 0; i < 4; i++)
        nearest_offer(&nearest, known[i]);
    if (best)
        assert_string_equal(nearest.best, best);
    else
        assert_null(nearest.best);
}

static void the_nearest_name_is_near(void **state)
{
    (void)state;
    nearest_is("epslion", "epsilon");
    nearest_is("normalise", "normalize");
    nearest_is("which-axes", "which-axis");
    nearest_is("maen", "mean");
    nearest_is("xyz", NULL);
    nearest_is("", NULL);
    char long_name[300];
    memset(long_name, 'a', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    nearest_is(long_name, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_moves_by_characters), cmocka_unit_test(a_line_has_an_end),
        cmocka_unit_test(control_characters_are_no_text), cmocka_unit_test(words_and_line_can_be_cut),
        cmocka_unit_test(commands_are_read), cmocka_unit_test(the_nearest_name_is_near),
    };
    return cmocka_run_group_tests_name("typing", tests, NULL, NULL);
}
