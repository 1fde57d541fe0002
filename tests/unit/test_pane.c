/* The editor's pane: colours, line numbers, the caret, the line that cannot be run; and the page around it. */
#include "sample_scene.h"

#include <cmocka.h>

#include "ui/highlight.h"
#include "ui/pane.h"

/* ---- colours ---- */

/* A letter for each byte: k keyword, s string, n number, c comment, "." anything else. */
static void check_colours(const char *text, const char *expected)
{
    uint8_t styles[200];
    char found[200];
    size_t length = strlen(text);
    highlight_lua(styles, text, length);
    for (size_t i = 0; i < length; i++)
        found[i] = styles[i] == STYLE_KEYWORD ? 'k' : styles[i] == STYLE_STRING ? 's' : styles[i] == STYLE_NUMBER ? 'n' :
                   styles[i] == STYLE_COMMENT ? 'c' : '.';
    found[length] = '\0';
    assert_string_equal(found, expected);
}

static void a_program_has_colours(void **state)
{
    (void)state;
    check_colours("local x = nil", "kkkkk.....kkk");
    check_colours("end_ _end endend", "................");
    check_colours("x=\"a\\\"b\"..'c'", "..ssssss..sss");
    check_colours("'open\nend", "sssss.kkk");
    check_colours("x -- no\nend", "..ccccc.kkk");
    check_colours("--[[a\nb]] or", "ccccccccc.kk");
    check_colours("--[==[ ]] ]==]x", "cccccccccccccc.");
    check_colours("[[a]]..[=[]]]=]x", "sssss..ssssssss.");
    check_colours("a[b[1]]", "....n..");
    check_colours("1e-5-0x1p+2-.5..3", "nnnn.nnnnnn.nnnnn");
    check_colours("a..1 a.b 3..2", "...n.....nnnn");
    check_colours("--[[ for ever", "ccccccccccccc");
    check_colours("\"\\", "ss");
    check_colours("", "");
}

static void every_byte_gets_a_colour(void **state)
{
    (void)state;
    uint32_t seed = 1;
    static const char bytes[] = "ab \n\"'[]=-\\.0xe\xff\xce\xb5";
    for (int round = 0; round < 2000; round++) {
        char text[40];
        uint8_t styles[40];
        memset(styles, 0xee, sizeof styles);
        size_t length = (size_t)(round % 40);
        for (size_t i = 0; i < length; i++) {
            seed = seed * 1664525 + 1013904223;
            text[i] = bytes[(seed >> 8) % (sizeof bytes - 1)];
        }
        highlight_lua(styles, text, length);
        for (size_t i = 0; i < sizeof styles; i++)
            assert_int_equal(styles[i] == 0xee, i >= length);
    }
}

/* ---- which line it is now ---- */

static void an_error_stays_with_its_line(void **state)
{
    (void)state;
    const char *before = "a\nb\nc\n";
    assert_int_equal(pane_line_now(before, before, 2), 2);
    assert_int_equal(pane_line_now(before, "a\nb\nc\nd\n", 2), 2);
    assert_int_equal(pane_line_now(before, "new\na\nb\nc\n", 2), 3);
    assert_int_equal(pane_line_now(before, "b\nc\n", 2), 1);
    assert_int_equal(pane_line_now(before, "a\nb2\nc\n", 2), 0);
    assert_int_equal(pane_line_now(before, "a\nc\n", 2), 0);
    assert_int_equal(pane_line_now(before, "a\n  b\nc\n", 2), 0);
    assert_int_equal(pane_line_now(before, "a2\nb\nc\n", 2), 2);
    assert_int_equal(pane_line_now(before, "a\nb\nc2\n", 2), 2);
    assert_int_equal(pane_line_now(before, "", 2), 0);
    assert_int_equal(pane_line_now(before, before, 0), 0);
    assert_int_equal(pane_line_now(before, before, 9), 0);
    assert_int_equal(pane_line_now("x", "x\ny", 1), 1);
}

/* ---- the pane alone ---- */

struct pane {
    struct grid *grid;
    struct drawn drawn;
    struct strbuf text;
};

static struct pane draw_pane(const struct code_pane *code, int columns, int rows, uint32_t error_line, const char *error, bool ascii)
{
    struct pane pane = {.grid = grid_new(columns, rows, ascii)};
    assert_non_null(pane.grid);
    pane_draw(pane.grid, code, (struct box){0, 0, columns, rows}, "f.lua", false, error_line, error, &pane.drawn);
    grid_write(pane.grid, false, &pane.text);
    return pane;
}

static void close_pane(struct pane *pane)
{
    grid_free(pane->grid);
    strbuf_free(&pane->text);
}

static void check_pane(const struct code_pane *code, int columns, int rows, uint32_t error_line, const char *error, bool ascii,
                       const char *expected, int column, int row)
{
    struct pane pane = draw_pane(code, columns, rows, error_line, error, ascii);
    if (strcmp(strbuf_string(&pane.text), expected) != 0)
        fail_msg("found\n%s\nexpected\n%s", strbuf_string(&pane.text), expected);
    assert_int_equal(pane.grid->cursor_column, column);
    assert_int_equal(pane.grid->cursor_row, row);
    close_pane(&pane);
}

static struct code_pane at(const char *text, const char *cursor)
{
    return (struct code_pane){.text = text, .cursor = (size_t)(strstr(text, cursor) - text)};
}

static void lines_are_numbered_and_the_caret_is_seen(void **state)
{
    (void)state;
    struct code_pane code = at("if x then\n\t漢y()\nend", "y()");
    check_pane(&code, 30, 3, 0, "", false, "  1  if x then\n  2      漢y()\n  3  end\n", 11, 1);
    check_pane(&code, 40, 4, 0, "", false,
               "     f.lua                  line 2 of 3\n  1  if x then\n  2      漢y()\n  3  end\n", 11, 2);
    code = at("a\n", "\n");
    code.cursor = 2;
    check_pane(&code, 30, 2, 0, "", false, "  1  a\n  2\n", 5, 1);
    code = (struct code_pane){.text = ""};
    check_pane(&code, 30, 2, 0, "", false, "  1\n\n", 5, 0);
}

static void what_is_no_ascii_has_stand_ins(void **state)
{
    (void)state;
    struct code_pane code = at("-- ε = 1\n", " = 1");
    check_pane(&code, 30, 2, 0, "", true, "  1  -- eps = 1\n  2\n", 11, 0);
    code = at("x\x1b[2J\xff\n", "\xff");
    struct pane pane = draw_pane(&code, 30, 2, 0, "", false);
    assert_null(strchr(strbuf_string(&pane.text), 0x1b));
    assert_non_null(strstr(strbuf_string(&pane.text), "x␛[2J"));
    close_pane(&pane);
}

static void the_error_stands_below_its_line(void **state)
{
    (void)state;
    struct code_pane code = at("a\nb\nc\nd", "d");
    check_pane(&code, 30, 3, 4, "no d here", false, "  3  c\n> 4  d\n     ✗ no d here\n", 5, 1);
    code = at("a\nb\nc\nd", "a");
    check_pane(&code, 16, 3, 2, "no b anywhere", false, "  1  a\n> 2  b\n     ✗ no b any…\n", 5, 0);
    check_pane(&code, 16, 3, 1, "", false, "> 1  a\n  2  b\n  3  c\n", 5, 0);
}

static void long_lines_and_long_texts_follow_the_caret(void **state)
{
    (void)state;
    static const char text[] = "0123456789abcdefghij\nshort\n";
    struct code_pane code = at(text, "5");
    check_pane(&code, 17, 3, 0, "", false, "  1  0123456789a›\n  2  short\n  3\n", 10, 0);
    code = at(text, "b");
    check_pane(&code, 17, 3, 0, "", false, "  1  ‹789abcdefg›\n  2  ‹\n  3\n", 10, 0);
    code = at(text, "\nshort");
    check_pane(&code, 17, 3, 0, "", false, "  1  ‹defghij\n  2  ‹\n  3\n", 13, 0);
    char lines[2000] = "";
    for (int i = 0; i < 300; i++)
        strcat(lines, "x\n");
    code = (struct code_pane){.text = lines, .cursor = 400, .top = 0}; /* line 201 */
    struct pane pane = draw_pane(&code, 30, 3, 0, "", false);
    assert_int_equal(pane.drawn.pane_top, 198);
    assert_int_equal(pane.drawn.pane_lines, 3);
    assert_int_equal(pane.grid->cursor_row, 2);
    close_pane(&pane);
    code.top = 199;
    code.cursor = 404;
    pane = draw_pane(&code, 30, 3, 0, "", false);
    assert_int_equal(pane.drawn.pane_top, 200);
    close_pane(&pane);
    code.top = 250; /* the caret went up */
    code.cursor = 400;
    pane = draw_pane(&code, 30, 3, 0, "", false);
    assert_int_equal(pane.drawn.pane_top, 200);
    assert_int_equal(pane.grid->cursor_row, 0);
    close_pane(&pane);
    code.top = 299; /* the text has become shorter */
    code.cursor = 600;
    pane = draw_pane(&code, 30, 3, 0, "", false);
    assert_int_equal(pane.drawn.pane_top, 298);
    close_pane(&pane);
}

/* ---- the page ---- */

static void the_page_shows_program_view_and_words(void **state)
{
    (void)state;
    static const int sizes[][2] = {{120, 32}, {80, 24}, {100, 30}, {200, 60}};
    struct scene *scene = sample_program(VERDICT_WRONG);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct lesson_screen screen = sample_screen(scene, FOCUS_CODE);
        struct code_pane code = at(SAMPLE_PROGRAM, "local mean");
        screen.pane = &code;
        screen.code_path = "~/layer_norm.lua";
        struct grid *grid = grid_new(sizes[i][0], sizes[i][1], false);
        struct drawn drawn;
        struct strbuf text = {0};
        draw_lesson(grid, &screen, &drawn);
        grid_write(grid, false, &text);
        static const char *const words[] = {"layer_norm.lua", "line 4 of 7", "local mean, var", "another sample changed", "averages over the batch",
                                            "Ctrl-S run probes", "Ctrl-_ undo", "Esc out of the code"};
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (!strstr(strbuf_string(&text), words[k]))
                fail_msg("no %s at %dx%d in\n%s", words[k], sizes[i][0], sizes[i][1], strbuf_string(&text));
        assert_null(strstr(strbuf_string(&text), "edited"));
        assert_true(grid->cursor_row > 2);
        grid_free(grid);
        strbuf_free(&text);
    }
    scene_free(scene);
}

static void what_was_changed_since_is_said(void **state)
{
    (void)state;
    struct scene *scene = sample_program(VERDICT_UNREAD);
    struct lesson_screen screen = sample_screen(scene, FOCUS_CODE);
    struct code_pane code = {.text = "-- new\n" SAMPLE_PROGRAM};
    screen.pane = &code;
    struct grid *grid = grid_new(120, 32, false);
    struct drawn drawn;
    struct strbuf text = {0};
    draw_lesson(grid, &screen, &drawn);
    grid_write(grid, false, &text);
    assert_non_null(strstr(strbuf_string(&text), "edited  line 1 of 8"));
    assert_non_null(strstr(strbuf_string(&text), " > 5      local mean"));
    assert_non_null(strstr(strbuf_string(&text), "✗ attempt to index a nil value"));
    code.unsaved = true;
    draw_lesson(grid, &screen, &drawn);
    strbuf_clear(&text);
    grid_write(grid, false, &text);
    assert_non_null(strstr(strbuf_string(&text), "not saved"));
    grid_free(grid);
    strbuf_free(&text);
    scene_free(scene);
}

static void any_size_and_any_text_can_be_drawn(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "\n\n\n", SAMPLE_PROGRAM, "\xff\xfe\n\t\t\t漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢", "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81"};
    struct scene *scene = sample_program(VERDICT_UNREAD);
    for (int columns = 38; columns < 130; columns += 7)
        for (int rows = 10; rows < 40; rows += 3)
            for (size_t i = 0; i < 2 * sizeof texts / sizeof *texts; i++) {
                const char *text = texts[i / 2];
                struct lesson_screen screen = sample_screen(scene, FOCUS_CODE);
                struct code_pane code = {.text = text, .cursor = strlen(text), .top = 3};
                screen.pane = &code;
                struct grid *grid = grid_new(columns, rows, i % 2);
                struct drawn drawn;
                draw_lesson(grid, &screen, &drawn);
                assert_true(drawn.too_small || (grid->cursor_row >= 0 && grid->cursor_row < rows));
                assert_true(grid->cursor_column < columns);
                grid_free(grid);
            }
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_has_colours),
        cmocka_unit_test(every_byte_gets_a_colour),
        cmocka_unit_test(an_error_stays_with_its_line),
        cmocka_unit_test(lines_are_numbered_and_the_caret_is_seen),
        cmocka_unit_test(what_is_no_ascii_has_stand_ins),
        cmocka_unit_test(the_error_stands_below_its_line),
        cmocka_unit_test(long_lines_and_long_texts_follow_the_caret),
        cmocka_unit_test(the_page_shows_program_view_and_words),
        cmocka_unit_test(what_was_changed_since_is_said),
        cmocka_unit_test(any_size_and_any_text_can_be_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
