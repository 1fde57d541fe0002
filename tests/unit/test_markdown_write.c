/* Words of a lesson inside another text: they read as before, and nothing that follows belongs to them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <md4c.h>

#include "base/visible.h"
#include "ui/markdown.h"

enum { TRIES = 20000 };

static void assert_written(const char *words, const char *want)
{
    struct strbuf out = {0};
    markdown_write(&out, words, "");
    assert_string_equal(strbuf_string(&out), want);
    strbuf_free(&out);
}

static void it_stays_readable(void **state)
{
    (void)state;
    assert_written("The row [1, 3, 5] has **mean** -1.25, `x_1 * 2` and rms_norm.", "The row [1, 3, 5] has **mean** -1.25, `x_1 * 2` and rms_norm.");
    assert_written("One\ntwo.\n\n- a\n- *b*\n\n  c\n", "One two.\n\n- a\n\n- *b*\n\n  c");
    assert_written("- a\n- b\n  1. c\n  2. d", "- a\n- b\n\n  1. c\n  2. d");
    assert_written("| a | b |\n|---|---|\n| 1 | `x` |", "| a | b |\n| --- | --- |\n| 1 | `x` |");
    assert_written("See [the paper](https://example.org/a).", "See the paper \\<https://example.org/a>.");
    assert_written("", "");
}

static void what_could_begin_something_is_escaped(void **state)
{
    (void)state;
    assert_written("# Title", "**Title**");
    assert_written("<!-- x\n\n<script>y</script>", "\\<!-- x\n\n\\<script>y\\</script>");
    assert_written("\\- a 2 * 3 \\*b\\* 1\\. c", "\\- a 2 * 3 \\*b\\* 1. c");
    assert_written("1986\\. A year", "1986\\. A year");
    assert_written("\\[a]: b", "\\[a\\]: b");
    assert_written("```\nopen `` ```` fence", "`````\nopen `` ```` fence\n`````");
    assert_written("a\x1b[31mb \xe2\x80\xae", "a\xe2\x90\x9b[31mb \xef\xbf\xbd");
}

static void words_go_on_in_a_line(void **state)
{
    (void)state;
    struct strbuf out = {0};
    strbuf_add(&out, "- **Wrong.**");
    assert_false(markdown_go_on(&out, "1. is not it\\\n   \\- b", "  "));
    assert_string_equal(strbuf_string(&out), "- **Wrong.**\n\n  1. is not it\\\n     \\- b");
    strbuf_clear(&out);
    strbuf_add(&out, "- **Wrong.**");
    assert_true(markdown_go_on(&out, "That is it.\n\nOr not.", "  "));
    assert_string_equal(strbuf_string(&out), "- **Wrong.** That is it.\n\n  Or not.");
    strbuf_clear(&out);
    assert_false(markdown_write(&out, "a\n\n    code", "  "));
    assert_string_equal(strbuf_string(&out), "a\n\n  ```\n  code\n  ```");
    strbuf_free(&out);
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return *seed >> 8;
}

/* What a reader of Markdown makes of it: blocks, emphasis and text. A heading counts as a bold paragraph, a link as its words. */
struct reading {
    struct strbuf text;
    bool in_line, heading, in_table;
};

static void end_line(struct reading *r)
{
    strbuf_add(&r->text, !r->in_line ? "" : r->heading ? "s)|" : "|");
    r->in_line = r->heading = false;
}

static void begin_line(struct reading *r)
{
    if (r->heading && !r->in_line)
        strbuf_add(&r->text, "s(");
    r->in_line = true;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    struct reading *r = data;
    (void)detail;
    end_line(r);
    r->heading = type == MD_BLOCK_H;
    r->in_table |= type == MD_BLOCK_TABLE;
    if (!r->heading && type != MD_BLOCK_P && type != MD_BLOCK_DOC)
        strbuf_addf(&r->text, "<%d", (int)type);
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    struct reading *r = data;
    (void)detail;
    end_line(r);
    r->in_table &= type != MD_BLOCK_TABLE;
    if (type != MD_BLOCK_H && type != MD_BLOCK_P && type != MD_BLOCK_DOC)
        strbuf_add(&r->text, ">");
    return 0;
}

static void add_span(struct reading *r, MD_SPANTYPE type, const char *bracket)
{
    bool plain = type == MD_SPAN_CODE ? r->in_table : r->heading;
    const char *letter = type == MD_SPAN_EM ? "e" : type == MD_SPAN_STRONG ? "s" : type == MD_SPAN_CODE ? "c" : "";
    if (*letter && !plain)
        strbuf_addf(&r->text, "%s%s", letter, bracket);
}

static int enter_span(MD_SPANTYPE type, void *detail, void *data)
{
    (void)detail;
    if (type != MD_SPAN_IMG)
        begin_line(data);
    add_span(data, type, "(");
    return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *data)
{
    struct reading *r = data;
    add_span(r, type, ")");
    if (type == MD_SPAN_A) {
        const MD_ATTRIBUTE *link = &((MD_SPAN_A_DETAIL *)detail)->href;
        strbuf_add(&r->text, "<");
        for (MD_SIZE i = 0; i < link->size; i++)
            strbuf_addn(&r->text, link->text + i, link->text[i] != ' ');
        strbuf_add(&r->text, ">");
    }
    return 0;
}

static int add_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *data)
{
    struct reading *r = data;
    char bytes[4];
    struct strbuf words = {0};
    uint32_t rune = type == MD_TEXT_ENTITY ? markdown_entity(text, size) : 0;
    if (rune)
        strbuf_addn(&words, bytes, utf8_encode(bytes, rune));
    else if (type == MD_TEXT_BR)
        strbuf_add(&words, "/");
    else
        strbuf_addn(&words, text, size);
    char *to = words.text;
    for (const char *from = words.text; from && *from; from++) /* blanks fall together here and there */
        if (*from != ' ' && *from != '\t' && *from != '\n')
            *to++ = *from;
    if (to)
        *to = '\0';
    if (*strbuf_string(&words))
        begin_line(r);
    visible_add(&r->text, strbuf_string(&words), true);
    strbuf_free(&words);
    return 0;
}

static char *read_as(const char *words)
{
    struct reading r = {0};
    const MD_PARSER parser = {
        .flags = MD_FLAG_TABLES | MD_FLAG_NOHTML,
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = enter_span,
        .leave_span = leave_span,
        .text = add_text,
    };
    assert_int_equal(md_parse(words, (MD_SIZE)strlen(words), &parser, &r), 0);
    char *text = r.text.text ? r.text.text : strdup("");
    for (char *at = text; *at; at++) { /* bold within emphasis is emphasis within bold */
        if (strncmp(at, "s(e(", 4) == 0)
            memcpy(at, "e(s(", 4);
        else if (strncmp(at, "e)s)", 4) == 0)
            memcpy(at, "s)e)", 4);
    }
    return text;
}

/* They read the same, also in a quote, and what follows them stands alone. */
static void assert_same(const char *words)
{
    struct strbuf alone = {0}, within = {0}, expected = {0};
    char *want = read_as(words), *got;
    markdown_write(&alone, words, "");
    got = read_as(strbuf_string(&alone));
    if (strcmp(want, got) != 0)
        fail_msg("<<%s>>\nwritten as <<%s>>\nreads <<%s>>\nnot <<%s>>", words, strbuf_string(&alone), got, want);
    free(got);
    strbuf_add(&within, "before\n\n> ");
    markdown_write(&within, words, "> ");
    strbuf_add(&within, "\n\n*after*");
    got = read_as(strbuf_string(&within));
    strbuf_addf(&expected, "before|<%d%s>e(aftere)|", (int)MD_BLOCK_QUOTE, want);
    if (strcmp(got, strbuf_string(&expected)) != 0)
        fail_msg("<<%s>>\nwritten as <<%s>>\nreads <<%s>>\nnot <<%s>>", words, strbuf_string(&within), got, strbuf_string(&expected));
    free(got);
    free(want);
    strbuf_free(&alone);
    strbuf_free(&within);
    strbuf_free(&expected);
}

static void any_words_read_as_before(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "a", "b c", " ", " ", "\n", "\n\n", "- ", "* ", "1. ", "23) ", "> ", "#", "## ", "`", "``", "```\n", "*", "**", "_", "__", "[", "]", "](",
        ")", "<", "<!--", ">", "|", "|\n|---|---|\n|", "~~", "~~~\n", "\\", "&", "&lt;", "&#42;", "=", "===\n", "\n\n---\n\n", "\n---\n", "+ ", "    ", "  ", ":",
        "!", "![", "x]", "\t", ".", "http://e.f", "\\\n", "  \n", "\xce\xb5", "\x1b", "\xff", "$",
    };
    uint32_t seed = 7;
    for (int i = 0; i < TRIES; i++) {
        struct strbuf words = {0};
        for (uint32_t left = next(&seed) % 12 + 1; left > 0; left--)
            strbuf_add(&words, pieces[next(&seed) % (sizeof pieces / sizeof pieces[0])]);
        assert_same(strbuf_string(&words));
        strbuf_free(&words);
    }
}

static void literals_and_code_are_as_they_are(void **state)
{
    (void)state;
    static const char *const texts[] = {"# a *b* [c](d) <e>", "- x", "1. x", "`a` ``b``", "a\\", "***", "a_b _c_", "&lt;", "[x]: y", "| a | b |"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct strbuf out = {0};
        markdown_literal(&out, texts[i]);
        struct strbuf got = {0};
        markdown_plain(&got, strbuf_string(&out));
        assert_string_equal(strbuf_string(&got), texts[i]);
        strbuf_clear(&out);
        strbuf_clear(&got);
        markdown_code(&out, texts[i]);
        markdown_plain(&got, strbuf_string(&out));
        assert_string_equal(strbuf_string(&got), texts[i]);
        strbuf_free(&out);
        strbuf_free(&got);
    }
}

static void what_is_too_deep_is_shown_as_it_stands(void **state)
{
    (void)state;
    struct strbuf words = {0}, out = {0};
    for (int i = 0; i < 40; i++)
        strbuf_add(&words, "> ");
    strbuf_add(&words, "deep");
    assert_false(markdown_write(&out, strbuf_string(&words), "  "));
    assert_false(out.failed);
    assert_non_null(strstr(strbuf_string(&out), "```\n  > > > "));
    strbuf_free(&words);
    strbuf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_stays_readable),
        cmocka_unit_test(what_could_begin_something_is_escaped),
        cmocka_unit_test(words_go_on_in_a_line),
        cmocka_unit_test(any_words_read_as_before),
        cmocka_unit_test(literals_and_code_are_as_they_are),
        cmocka_unit_test(what_is_too_deep_is_shown_as_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
