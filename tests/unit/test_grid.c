/* The cell grid: what is written is what is seen, whatever the bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/visible.h"
#include "ui/grid.h"
#include "ui/sheet.h"

static void assert_row(const struct grid *grid, int row, const char *want)
{
    struct strbuf out = {0};
    grid_write(grid, false, &out);
    const char *line = strbuf_string(&out);
    for (int i = 0; i < row; i++)
        line = strchr(line, '\n') + 1;
    size_t length = strcspn(line, "\n");
    char got[1024];
    assert_true(length < sizeof got);
    memcpy(got, line, length);
    got[length] = '\0';
    assert_string_equal(got, want);
    strbuf_free(&out);
}

static void decodes_utf8(void **state)
{
    (void)state;
    uint32_t rune;
    assert_int_equal(utf8_decode("é", 2, &rune), 2);
    assert_int_equal(rune, 0xE9);
    assert_int_equal(utf8_decode("\xF0\x9F\x98\x80", 4, &rune), 4);
    assert_int_equal(rune, 0x1F600);
    static const char *const malformed[] = {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80",
                                            "\xFF",     "\xE2\x82",     "\xE0\x80\x80"};
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
        size_t took = utf8_decode(malformed[i], strlen(malformed[i]), &rune);
        assert_in_range(took, 1, strlen(malformed[i]));
        assert_int_equal(rune, 0xFFFD);
    }
    for (uint32_t r = 0; r < 0x110000; r += 7) {
        char bytes[4];
        if (r >= 0xD800 && r < 0xE000)
            continue;
        size_t count = utf8_encode(bytes, r);
        assert_int_equal(utf8_decode(bytes, count, &rune), count);
        assert_int_equal(rune, r);
    }
}

static void knows_widths(void **state)
{
    (void)state;
    assert_int_equal(utf8_width('a'), 1);
    assert_int_equal(utf8_width(0x3B5), 1);
    assert_int_equal(utf8_width(0x301), 0);
    assert_int_equal(utf8_width(0x200B), 0);
    assert_int_equal(utf8_width(0x4E2D), 2);
    assert_int_equal(utf8_width(0xFF21), 2);
    assert_int_equal(utf8_width(0x1F600), 2);
    assert_int_equal(utf8_width(0x2588), 1);
    assert_int_equal(grid_text_width("日本e\xCC\x81"), 5);
    assert_int_equal(grid_text_width("1/√(var+ε)"), 10);
}

static void control_bytes_are_seen(void **state)
{
    (void)state;
    struct grid *grid = grid_new(40, 1, false);
    grid_put(grid, 0, 0, -1, STYLE_PLAIN,
             "a\033[31m\a\r\n\177\xC2\x9B"
             "31m\xE2\x80\xAE!");
    assert_row(grid, 0,
               "a␛[31m␇␍␊␡\xEF\xBF\xBD"
               "31m\xEF\xBF\xBD!");
    grid_free(grid);
    grid = grid_new(40, 1, true);
    grid_put(grid, 0, 0, -1, STYLE_PLAIN, "a\033\a\177");
    assert_row(grid, 0, "a^[^G^?");
    grid_free(grid);
    struct strbuf out = {0};
    visible_add(&out, "a\tb\nc\033", true);
    assert_string_equal(strbuf_string(&out), "a\tb\nc␛");
    strbuf_clear(&out);
    visible_add(&out, "a\nb", false);
    assert_string_equal(strbuf_string(&out), "a␊b");
    strbuf_free(&out);
}

static void wide_and_joined_characters_keep_their_cells(void **state)
{
    (void)state;
    struct grid *grid = grid_new(6, 1, false);
    assert_int_equal(grid_put(grid, 0, 0, -1, STYLE_PLAIN, "a日e\xCC\x81x"), 5);
    assert_string_equal(grid->cells[1].text, "日");
    assert_string_equal(grid->cells[2].text, "");
    assert_string_equal(grid->cells[3].text, "e\xCC\x81");
    assert_row(grid, 0, "a日e\xCC\x81x");
    grid_put(grid, 2, 0, -1, STYLE_PLAIN, "Z"); /* over its right half */
    assert_row(grid, 0, "a Ze\xCC\x81x");
    grid_clear(grid);
    grid_put(grid, 1, 0, -1, STYLE_PLAIN, "日");
    grid_put(grid, 1, 0, -1, STYLE_PLAIN, "Z"); /* over its left half */
    assert_string_equal(grid->cells[2].text, " ");
    assert_int_equal(grid_put(grid, 5, 0, -1, STYLE_PLAIN, "日"), 5); /* half a character does not fit */
    char many[100] = "e";
    for (int i = 0; i < 20; i++)
        strcat(many, "\xCC\x81");
    assert_int_equal(grid_put(grid, 0, 0, -1, STYLE_PLAIN, many), 1);
    grid_free(grid);
}

static void writing_is_clipped(void **state)
{
    (void)state;
    struct grid *grid = grid_new(8, 2, false);
    assert_int_equal(grid_put(grid, 5, 0, -1, STYLE_PLAIN, "abcdef"), 8);
    assert_int_equal(grid_put(grid, 0, 0, 3, STYLE_PLAIN, "abcdef"), 3);
    grid_put(grid, -2, 1, -1, STYLE_PLAIN, "abcd");
    grid_put(grid, 0, -1, -1, STYLE_PLAIN, "abcd");
    grid_put(grid, 0, 2, -1, STYLE_PLAIN, "abcd");
    assert_row(grid, 0, "abc  abc");
    assert_row(grid, 1, "cd");
    grid_put_fit(grid, 0, 1, 6, STYLE_PLAIN, "abcdefgh");
    assert_row(grid, 1, "abcde…");
    grid_free(grid);
    assert_null(grid_new(0, 5, false));
    assert_null(grid_new(5, -1, false));
}

static void ascii_has_stand_ins(void **state)
{
    (void)state;
    struct grid *grid = grid_new(60, 1, true);
    const char *text = "1/√(var+ε) ≤ −2 → ✗ █▌ ─│┼ “né” x² ⠿ 日";
    int end = grid_put(grid, 0, 0, -1, STYLE_PLAIN, text);
    assert_row(grid, 0, "1/sqrt(var+eps) <= -2 -> x ## -|+ \"ne\" x^2 * ?");
    assert_int_equal(end, grid_width(grid, text));
    for (int i = 0; i < grid->columns; i++)
        assert_true((unsigned char)grid->cells[i].text[0] < 0x80 && !grid->cells[i].text[1]);
    grid_free(grid);
}

static void ansi_is_balanced(void **state)
{
    (void)state;
    struct grid *grid = grid_new(20, 2, false);
    grid_put(grid, 0, 0, -1, STYLE_WRONG, "no");
    grid_put(grid, 3, 0, -1, STYLE_PLAIN, "yes");
    struct strbuf out = {0};
    unsetenv("NO_COLOR");
    grid_write(grid, true, &out);
    assert_non_null(strstr(strbuf_string(&out), "38;5;"));
    assert_null(strstr(strbuf_string(&out), "48;5;")); /* the background is the terminal's */
    assert_non_null(strstr(strbuf_string(&out), "\033[0m"));
    strbuf_clear(&out);
    setenv("NO_COLOR", "1", 1);
    grid_write(grid, true, &out);
    assert_null(strstr(strbuf_string(&out), "38;5;"));
    assert_non_null(strstr(strbuf_string(&out), "\033[0;1mno"));
    unsetenv("NO_COLOR");
    strbuf_free(&out);
    grid_free(grid);
}

static void lines_break_between_words(void **state)
{
    (void)state;
    struct sheet sheet;
    assert_true(sheet_open(&sheet, 12, false));
    sheet_text(&sheet, 0, 12, STYLE_PLAIN, "one two  three incomprehensibilities 日本語の文字列です x");
    assert_row(sheet.grid, 0, "one two");
    assert_row(sheet.grid, 1, "three");
    assert_row(sheet.grid, 2, "incomprehens");
    assert_row(sheet.grid, 3, "ibilities 日");
    assert_row(sheet.grid, 4, "本語の文字列");
    assert_row(sheet.grid, 5, "です x");
    sheet_close(&sheet);
}

static void sheets_grow(void **state)
{
    (void)state;
    struct sheet sheet;
    assert_true(sheet_open(&sheet, 10, false));
    for (int i = 0; i < 500; i++)
        sheet_put(&sheet, 0, sheet_row(&sheet), STYLE_PLAIN, "row");
    assert_int_equal(sheet.rows, 500);
    assert_false(sheet.failed);
    struct grid *grid = grid_new(5, 3, false);
    sheet_show(&sheet, 498, 10, grid, 2, 1);
    assert_row(grid, 1, "  row");
    sheet_show(&sheet, -5, 10, grid, 4, -3); /* partly outside on every side */
    grid_free(grid);
    sheet_close(&sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decodes_utf8),
        cmocka_unit_test(knows_widths),
        cmocka_unit_test(control_bytes_are_seen),
        cmocka_unit_test(wide_and_joined_characters_keep_their_cells),
        cmocka_unit_test(writing_is_clipped),
        cmocka_unit_test(ascii_has_stand_ins),
        cmocka_unit_test(ansi_is_balanced),
        cmocka_unit_test(lines_break_between_words),
        cmocka_unit_test(sheets_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
