/* The Markdown of lessons, on a sheet and as plain lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ui/markdown.h"

static void assert_sheet(const char *words, int columns, bool ascii, const char *want)
{
    struct sheet sheet;
    assert_true(sheet_open(&sheet, columns, ascii));
    markdown_add(&sheet, 0, columns, words);
    assert_false(sheet.failed);
    struct strbuf out = {0};
    grid_write(sheet.grid, false, &out);
    char *text = out.text;
    size_t rows = 0;
    for (char *p = text; *p; p++) {
        rows += *p == '\n';
        if (rows == (size_t)sheet.rows) {
            p[*p == '\n'] = '\0';
            break;
        }
    }
    assert_string_equal(sheet.rows ? text : "", want);
    strbuf_free(&out);
    sheet_close(&sheet);
}

static enum style style_of(const struct sheet *sheet, const char *letter)
{
    for (int i = 0; i < sheet->rows * sheet->grid->columns; i++) {
        if (strcmp(sheet->grid->cells[i].text, letter) == 0)
            return (enum style)sheet->grid->cells[i].style;
    }
    fail_msg("%s is not on the sheet", letter);
    return STYLE_PLAIN;
}

static void paragraphs_wrap(void **state)
{
    (void)state;
    assert_sheet("One two\nthree four five.\n\nSix.", 14, false, "One two three\nfour five.\n\nSix.\n");
    assert_sheet("", 14, false, "");
    assert_sheet("hard  \nbreak", 14, false, "hard\nbreak\n");
}

static void words_are_not_torn_by_emphasis(void **state)
{
    (void)state;
    assert_sheet("aaaa **bbb**, *cc*ddd. e", 10, false, "aaaa bbb,\nccddd. e\n");
    struct sheet sheet;
    assert_true(sheet_open(&sheet, 40, false));
    markdown_add(&sheet, 0, 40, "P **S** *E* `C`");
    assert_int_equal(style_of(&sheet, "P"), STYLE_PLAIN);
    assert_int_equal(style_of(&sheet, "S"), STYLE_STRONG);
    assert_int_equal(style_of(&sheet, "E"), STYLE_EMPHASIS);
    assert_int_equal(style_of(&sheet, "C"), STYLE_CODE);
    sheet_close(&sheet);
}

static void lists_hang(void **state)
{
    (void)state;
    assert_sheet("Intro:\n\n- first point\n- second\n  - inner one\n\n9. nine\n10. ten", 12, false,
                 "Intro:\n\n• first\n  point\n• second\n  • inner\n    one\n\n9. nine\n10. ten\n");
    assert_sheet("> quoted words here", 12, false, "│ quoted\n│ words here\n");
}

static void code_keeps_its_lines(void **state)
{
    (void)state;
    assert_sheet("See:\n\n    y = (x - m)\n      / s\n\nEnd.", 30, false,
                 "See:\n\n  y = (x - m)\n    / s\n\nEnd.\n");
    assert_sheet("```\na b c d e f g h\n```", 12, false, "  a b c d\n↪ e f g h\n");
}

static void tables_align(void **state)
{
    (void)state;
    assert_sheet("| a | n |\n|---|--:|\n| row | 1 |\n| b | 20 |", 30, false,
                 "a     n\n───  ──\nrow   1\nb    20\n");
    assert_sheet("| name | what |\n|---|---|\n| eps | a small number |", 16, true,
                 "name  what\n----  ----------\neps   a small\n      number\n");
}

static void html_is_text(void **state)
{
    (void)state;
    assert_sheet("a <b>bold</b> &lt;tag&gt; &#955; &nope;", 60, false, "a <b>bold</b> <tag> λ &nope;\n");
    assert_sheet("<div>\nx\n</div>", 60, false, "<div> x </div>\n");
    assert_sheet("![picture of a cat](cat.png)", 60, false, "picture of a cat\n");
    assert_sheet("see [the page](http://x.org/a)", 60, false, "see the page <http://x.org/a>\n");
    assert_sheet("a \033[31m b", 60, false, "a ␛[31m b\n");
}

static void any_words_at_any_width(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "- ",         "> ",        "1. ",   "**",
        "*",          "`",         "```\n", "| a | b |\n|--|--|\n| c | d |\n",
        "\n",         "\n\n",      "    ",  "word ",
        "日本",       "e\xCC\x81", "\xFF",  "&#0;",
        "&#x110000;", "[a](b)",    "<",     "# ",
        "---\n",      "ε"};
    unsigned seed = 1;
    for (int round = 0; round < 3000; round++) {
        char words[512] = "";
        for (int i = 0; i < 24; i++) {
            seed = seed * 1103515245U + 12345U;
            const char *piece = pieces[(seed >> 16) % (sizeof pieces / sizeof *pieces)];
            if (strlen(words) + strlen(piece) < sizeof words)
                strcat(words, piece);
        }
        struct sheet sheet;
        assert_true(sheet_open(&sheet, 1 + round % 50, round % 2));
        markdown_add(&sheet, 0, 1 + round % 50, words);
        assert_false(sheet.failed);
        sheet_close(&sheet);
        struct strbuf out = {0};
        markdown_plain(&out, words);
        assert_false(out.failed);
        strbuf_free(&out);
    }
}

static void assert_plain(const char *words, const char *want)
{
    struct strbuf out = {0};
    markdown_plain(&out, words);
    assert_string_equal(strbuf_string(&out), want);
    strbuf_free(&out);
}

static void plain_lines(void **state)
{
    (void)state;
    assert_plain("See [the paper](https://example.org/a).", "See the paper <https://example.org/a>.");
    assert_plain("One **two**\nthree.\n\nFour `five`.", "One two three.\nFour five.");
    assert_plain("- a\n- b\n  - c\n\n2. d\n3. e", "- a\n- b\n  - c\n2. d\n3. e");
    assert_plain("Is:\n\n    y = x\n    z = y\n", "Is:\n    y = x\n    z = y");
    assert_plain("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "a 1, b 2\na 3, b 4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paragraphs_wrap),
        cmocka_unit_test(words_are_not_torn_by_emphasis),
        cmocka_unit_test(lists_hang),
        cmocka_unit_test(code_keeps_its_lines),
        cmocka_unit_test(tables_align),
        cmocka_unit_test(html_is_text),
        cmocka_unit_test(any_words_at_any_width),
        cmocka_unit_test(plain_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
