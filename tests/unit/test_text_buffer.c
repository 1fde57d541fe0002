/* A program's text under the learner's hands: typed, moved through, cut, undone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "app/editor_pane.h"
#include "base/visible.h"
#include "ui/paste.h"

static struct text_buffer open_at(const char *text, const char *cursor_before)
{
    struct text_buffer buffer;
    assert_int_equal(text_buffer_open(&buffer, text), 0);
    const char *at = strstr(text, cursor_before);
    assert_non_null(at);
    buffer.cursor = (size_t)(at - text);
    return buffer;
}

static void type(struct text_buffer *buffer, const char *text)
{
    for (size_t length = strlen(text); length > 0;) {
        uint32_t rune;
        size_t step = utf8_decode(text, length, &rune);
        assert_true(text_buffer_type(buffer, rune));
        text += step;
        length -= step;
    }
}

/* The text with "|" where the cursor stands. */
static void check(struct text_buffer *buffer, const char *expected)
{
    char found[1000];
    assert_true(buffer->length < sizeof found - 2);
    assert_int_equal(strlen(buffer->text), buffer->length);
    memcpy(found, buffer->text, buffer->cursor);
    found[buffer->cursor] = '|';
    strcpy(found + buffer->cursor + 1, buffer->text + buffer->cursor);
    assert_string_equal(found, expected);
}

static void letters_are_typed_and_deleted(void **state)
{
    (void)state;
    struct text_buffer buffer = open_at("ab", "b");
    type(&buffer, "ε漢");
    check(&buffer, "aε漢|b");
    assert_true(text_buffer_backspace(&buffer));
    check(&buffer, "aε|b");
    assert_true(text_buffer_delete(&buffer));
    check(&buffer, "aε|");
    assert_false(text_buffer_delete(&buffer));
    assert_true(text_buffer_backspace(&buffer));
    assert_true(text_buffer_backspace(&buffer));
    assert_false(text_buffer_backspace(&buffer));
    check(&buffer, "|");
    text_buffer_close(&buffer);
}

static void control_characters_are_no_text(void **state)
{
    (void)state;
    struct text_buffer buffer = open_at("", "");
    static const uint32_t runes[] = {0, 7, 0x1b, 0x7f, 0x9b, 0x202e};
    for (size_t i = 0; i < sizeof runes / sizeof *runes; i++)
        assert_false(text_buffer_type(&buffer, runes[i]));
    check(&buffer, "|");
    text_buffer_close(&buffer);
}

static void what_combines_stays_together(void **state)
{
    (void)state;
    struct text_buffer buffer = open_at("xe\xcc\x81\xcc\xa7y", "x");
    text_buffer_move(&buffer, MOVE_RIGHT);
    text_buffer_move(&buffer, MOVE_RIGHT);
    check(&buffer, "xe\xcc\x81\xcc\xa7|y");
    text_buffer_move(&buffer, MOVE_LEFT);
    check(&buffer, "x|e\xcc\x81\xcc\xa7y");
    assert_true(text_buffer_delete(&buffer));
    check(&buffer, "x|y");
    text_buffer_close(&buffer);
}

static void bytes_that_are_no_characters_are_kept(void **state)
{
    (void)state;
    struct text_buffer buffer = open_at("a\xff\xc3\nb", "a");
    text_buffer_move(&buffer, MOVE_RIGHT);
    text_buffer_move(&buffer, MOVE_RIGHT);
    text_buffer_move(&buffer, MOVE_RIGHT);
    check(&buffer, "a\xff\xc3|\nb");
    assert_true(text_buffer_backspace(&buffer));
    check(&buffer, "a\xff|\nb");
    text_buffer_close(&buffer);
}

static void enter_keeps_the_indentation(void **state)
{
    (void)state;
    struct text_buffer buffer = open_at("if x then\n  \ty()\nend", "()");
    assert_true(text_buffer_enter(&buffer));
    check(&buffer, "if x then\n  \ty\n  \t|()\nend");
    text_buffer_move(&buffer, MOVE_HOME);
    text_buffer_move_lines(&buffer, -1);
    check(&buffer, "if x then\n|  \ty\n  \t()\nend");
    assert_true(text_buffer_enter(&buffer)); /* before the indentation there is none to keep */
    check(&buffer, "if x then\n\n|  \ty\n  \t()\nend");
    text_buffer_close(&buffer);
}

static void blanks_at_the_start_go_by_twos(void **state)
{
    (void)state;
    struct text_buffer buffer = open_at("x", "x");
    assert_true(text_buffer_indent(&buffer));
    assert_true(text_buffer_indent(&buffer));
    check(&buffer, "    |x");
    type(&buffer, " ");
    assert_true(text_buffer_backspace(&buffer));
    check(&buffer, "    |x");
    assert_true(text_buffer_backspace(&buffer));
    check(&buffer, "  |x");
    text_buffer_move(&buffer, MOVE_END);
    assert_true(text_buffer_outdent(&buffer));
    check(&buffer, "x|");
    assert_false(text_buffer_outdent(&buffer));
    text_buffer_close(&buffer);
}

static void lines_that_end_in_cr_lf_stay_so(void **state)
{
    (void)state;
    struct text_buffer buffer = open_at("a\r\nbc\r\n", "a");
    text_buffer_move(&buffer, MOVE_END);
    check(&buffer, "a|\r\nbc\r\n");
    text_buffer_move(&buffer, MOVE_RIGHT);
    check(&buffer, "a\r\n|bc\r\n");
    text_buffer_move(&buffer, MOVE_LEFT);
    check(&buffer, "a|\r\nbc\r\n");
    assert_true(text_buffer_enter(&buffer));
    check(&buffer, "a\r\n|\r\nbc\r\n");
    assert_true(text_buffer_delete(&buffer));
    check(&buffer, "a\r\n|bc\r\n");
    assert_true(text_buffer_backspace(&buffer));
    check(&buffer, "a|bc\r\n");
    text_buffer_close(&buffer);
}

static void up_and_down_keep_the_column(void **state)
{
    (void)state;
    struct text_buffer buffer = open_at("abcdef\nx\n漢字漢字\n\tz", "ef");
    text_buffer_move_lines(&buffer, 1);
    check(&buffer, "abcdef\nx|\n漢字漢字\n\tz");
    text_buffer_move_lines(&buffer, 1);
    check(&buffer, "abcdef\nx\n漢字|漢字\n\tz");
    text_buffer_move_lines(&buffer, 1);
    check(&buffer, "abcdef\nx\n漢字漢字\n\t|z");
    text_buffer_move_lines(&buffer, -100);
    check(&buffer, "abcd|ef\nx\n漢字漢字\n\tz");
    text_buffer_move_lines(&buffer, 100);
    check(&buffer, "abcdef\nx\n漢字漢字\n\t|z");
    text_buffer_close(&buffer);
}

static void moves_go_by_words_and_to_the_ends(void **state)
{
    (void)state;
    struct text_buffer buffer = open_at("  local m2 = x:mean()\nend", "local");
    text_buffer_move(&buffer, MOVE_HOME);
    check(&buffer, "|  local m2 = x:mean()\nend");
    text_buffer_move(&buffer, MOVE_HOME);
    check(&buffer, "  |local m2 = x:mean()\nend");
    text_buffer_move(&buffer, MOVE_WORD_RIGHT);
    text_buffer_move(&buffer, MOVE_WORD_RIGHT);
    check(&buffer, "  local m2 |= x:mean()\nend");
    text_buffer_move(&buffer, MOVE_FINISH);
    text_buffer_move(&buffer, MOVE_WORD_LEFT);
    text_buffer_move(&buffer, MOVE_WORD_LEFT);
    check(&buffer, "  local m2 = x:mean|()\nend");
    assert_true(text_buffer_delete_word(&buffer));
    check(&buffer, "  local m2 = x:|()\nend");
    assert_true(text_buffer_delete_to_end(&buffer));
    assert_true(text_buffer_delete_to_end(&buffer));
    check(&buffer, "  local m2 = x:|end");
    text_buffer_move(&buffer, MOVE_START);
    check(&buffer, "|  local m2 = x:end");
    text_buffer_close(&buffer);
    buffer = open_at("a+\xcc\x81", "+");
    text_buffer_move(&buffer, MOVE_FINISH);
    text_buffer_move(&buffer, MOVE_WORD_LEFT);
    check(&buffer, "a|+\xcc\x81");
    text_buffer_close(&buffer);
}

static void a_word_is_undone_at_once(void **state)
{
    (void)state;
    struct text_buffer buffer = open_at("", "");
    type(&buffer, "local x");
    assert_true(text_buffer_undo(&buffer));
    check(&buffer, "local |");
    assert_true(text_buffer_undo(&buffer));
    assert_true(text_buffer_undo(&buffer));
    check(&buffer, "|");
    assert_false(text_buffer_undo(&buffer));
    for (int i = 0; i < 3; i++)
        assert_true(text_buffer_redo(&buffer));
    assert_false(text_buffer_redo(&buffer));
    check(&buffer, "local x|");
    text_buffer_backspace(&buffer);
    text_buffer_backspace(&buffer);
    text_buffer_backspace(&buffer);
    check(&buffer, "loca|");
    text_buffer_undo(&buffer);
    check(&buffer, "local x|");
    text_buffer_move(&buffer, MOVE_START);
    text_buffer_delete(&buffer);
    text_buffer_delete(&buffer);
    text_buffer_undo(&buffer);
    check(&buffer, "|local x");
    text_buffer_undo(&buffer);
    type(&buffer, "y"); /* what was undone is gone now */
    assert_false(text_buffer_redo(&buffer));
    text_buffer_close(&buffer);
}

static void moving_ends_what_is_undone_at_once(void **state)
{
    (void)state;
    struct text_buffer buffer = open_at("", "");
    type(&buffer, "ab");
    text_buffer_move(&buffer, MOVE_LEFT);
    text_buffer_move(&buffer, MOVE_RIGHT);
    type(&buffer, "cd");
    text_buffer_undo(&buffer);
    check(&buffer, "ab|");
    text_buffer_close(&buffer);
}

static void a_paste_is_one_change(void **state)
{
    (void)state;
    struct text_buffer buffer = open_at("ac", "c");
    assert_true(text_buffer_insert(&buffer, "1\n2\n3"));
    check(&buffer, "a1\n2\n3|c");
    text_buffer_undo(&buffer);
    check(&buffer, "a|c");
    text_buffer_close(&buffer);
}

static void another_text_can_be_undone(void **state)
{
    (void)state;
    struct text_buffer buffer = open_at("one\ntwo\nthree\n", "ree");
    assert_true(text_buffer_become(&buffer, "one\n2\n2b\nthree\n"));
    check(&buffer, "one\n2\n2b\nth|ree\n");
    assert_false(text_buffer_become(&buffer, "one\n2\n2b\nthree\n"));
    assert_true(text_buffer_undo(&buffer));
    check(&buffer, "one\ntwo\nth|ree\n");
    assert_true(text_buffer_become(&buffer, "\xce\xb5"));
    assert_true(text_buffer_become(&buffer, "\xce\xb6")); /* which share a byte */
    assert_true(buffer.cursor == 0 || buffer.cursor == 2);
    text_buffer_close(&buffer);
}

static void it_has_an_end(void **state)
{
    (void)state;
    static char most[TEXT_BUFFER_MAX + 2];
    struct text_buffer buffer;
    memset(most, 'x', TEXT_BUFFER_MAX + 1);
    assert_int_equal(text_buffer_open(&buffer, most), -1);
    most[TEXT_BUFFER_MAX] = '\0';
    assert_int_equal(text_buffer_open(&buffer, most), 0);
    assert_false(text_buffer_type(&buffer, 'y'));
    assert_false(text_buffer_enter(&buffer));
    assert_false(text_buffer_insert(&buffer, "y"));
    assert_true(text_buffer_delete(&buffer));
    assert_true(text_buffer_type(&buffer, 'y'));
    assert_int_equal(buffer.length, TEXT_BUFFER_MAX);
    most[0] = 'y';
    assert_string_equal(buffer.text, most);
    for (int i = 0; i < 200; i++) /* more than is remembered */
        assert_true(text_buffer_become(&buffer, i % 2 ? most : ""));
    while (text_buffer_undo(&buffer))
        assert_true(buffer.length == 0 || buffer.length == TEXT_BUFFER_MAX);
    text_buffer_close(&buffer);
}

/* ---- anything at all ---- */

static uint32_t draw(uint32_t *seed, uint32_t count)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) % count;
}

static void change(struct text_buffer *buffer, uint32_t *seed)
{
    static const uint32_t runes[] = {'a', ' ', '(', 0x3b5, 0x301, 0x6f22, 0x200d, 0x1f600};
    static const char *const pasted[] = {"x\r\ny", "  if\n\tthen", "\xff", "e\xcc\x81", "\r"};
    static const char *const texts[] = {"", "a\n  b\n", "one\r\ntwo\r\n", "\xcc\x81\n\xcc\x81"};
    switch (draw(seed, 14)) {
    case 0: text_buffer_enter(buffer); break;
    case 1: text_buffer_indent(buffer); break;
    case 2: text_buffer_outdent(buffer); break;
    case 3: text_buffer_insert(buffer, pasted[draw(seed, 5)]); break;
    case 4: text_buffer_backspace(buffer); break;
    case 5: text_buffer_delete(buffer); break;
    case 6: text_buffer_delete_word(buffer); break;
    case 7: text_buffer_delete_to_end(buffer); break;
    case 8:
        if (draw(seed, 8) == 0)
            text_buffer_become(buffer, texts[draw(seed, 4)]);
        break;
    case 9: text_buffer_move(buffer, (enum text_move)draw(seed, MOVE_FINISH + 1)); break;
    case 10: text_buffer_move_lines(buffer, (long)draw(seed, 7) - 3); break;
    default: text_buffer_type(buffer, runes[draw(seed, 8)]);
    }
}

/* From one end to the other and back, by the same places. */
static void check_moves(struct text_buffer *buffer)
{
    size_t kept = buffer->cursor, places = 0;
    text_buffer_move(buffer, MOVE_START);
    bool met = kept == 0;
    for (size_t last = SIZE_MAX; buffer->cursor != last; places++) {
        last = buffer->cursor;
        text_buffer_move(buffer, MOVE_RIGHT);
        met |= buffer->cursor == kept;
    }
    assert_true(met);
    assert_int_equal(buffer->cursor, buffer->length);
    for (size_t last = SIZE_MAX; buffer->cursor != last; places--) {
        last = buffer->cursor;
        text_buffer_move(buffer, MOVE_LEFT);
    }
    assert_int_equal(buffer->cursor, 0);
    assert_int_equal(places, 0);
    buffer->cursor = kept;
}

static void every_change_can_be_undone_and_done_again(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 300; round++) {
        uint32_t seed = round;
        struct text_buffer buffer;
        assert_int_equal(text_buffer_open(&buffer, "function f(x)\n  return x\nend\n"), 0);
        for (int i = 0; i < 60; i++) {
            change(&buffer, &seed);
            assert_true(buffer.cursor <= buffer.length);
            assert_int_equal(strlen(buffer.text), buffer.length);
            if (i % 10 == 0)
                check_moves(&buffer);
            if (draw(&seed, 20) == 0)
                text_buffer_undo(&buffer);
        }
        char *last = strdup(buffer.text);
        while (text_buffer_undo(&buffer))
            assert_true(buffer.cursor <= buffer.length);
        assert_string_equal(buffer.text, "function f(x)\n  return x\nend\n");
        while (buffer.done < buffer.edit_count && strcmp(buffer.text, last) != 0)
            text_buffer_redo(&buffer);
        while (text_buffer_redo(&buffer)) {
        }
        text_buffer_undo(&buffer);
        text_buffer_redo(&buffer);
        assert_int_equal(strlen(buffer.text), buffer.length);
        free(last);
        text_buffer_close(&buffer);
    }
}

/* ---- keys, the time to save, what is pasted ---- */

static enum pane_key press(struct editor_pane *pane, enum key_code code, uint32_t rune)
{
    return editor_pane_key(pane, (struct key){code, rune}, "", 10);
}

static void keys_write_the_program(void **state)
{
    (void)state;
    struct editor_pane pane;
    assert_true(editor_pane_open(&pane, "x\n"));
    assert_int_equal(press(&pane, KEY_CHAR_, 's'), PANE_CHANGED);
    assert_int_equal(press(&pane, KEY_TAB_, 0), PANE_CHANGED);
    assert_int_equal(press(&pane, KEY_ENTER_, 0), PANE_CHANGED);
    assert_string_equal(pane.buffer.text, "s  \nx\n");
    assert_int_equal(press(&pane, KEY_CTRL_, '_'), PANE_CHANGED);
    assert_int_equal(press(&pane, KEY_CTRL_, 'u'), PANE_CHANGED);
    assert_int_equal(press(&pane, KEY_CTRL_, 'y'), PANE_CHANGED);
    assert_string_equal(pane.buffer.text, "s  x\n");
    assert_int_equal(editor_pane_key(&pane, (struct key){KEY_PASTE_, 0}, "1\n2\n", 10), PANE_CHANGED);
    assert_string_equal(pane.buffer.text, "s  1\n2\nx\n");
    assert_int_equal(press(&pane, KEY_PAGE_DOWN_, 0), PANE_TAKEN);
    assert_int_equal(pane.buffer.cursor, pane.buffer.length);
    assert_int_equal(press(&pane, KEY_F_, 1), PANE_NOT_MINE);
    assert_int_equal(press(&pane, KEY_CTRL_, 's'), PANE_NOT_MINE);
    editor_pane_close(&pane);
}

static void it_is_saved_half_a_second_after_the_first_change(void **state)
{
    (void)state;
    struct editor_pane pane;
    assert_true(editor_pane_open(&pane, ""));
    assert_int_equal(pane.save_at, 0);
    editor_pane_touched(&pane, 1000);
    editor_pane_touched(&pane, 1400); /* who goes on typing waits no longer */
    assert_int_equal(pane.save_at, 1500);
    editor_pane_saved(&pane, false, 1500);
    assert_true(pane.trouble && pane.save_at > 1500);
    editor_pane_saved(&pane, true, 4000);
    assert_false(pane.trouble || pane.save_at);
    editor_pane_close(&pane);
}

static void what_is_pasted_is_text(void **state)
{
    (void)state;
    struct paste paste = {0};
    static const uint32_t runes[] = {'a', '\r', '\n', 'b', '\r', 'c', '\n', '\t', 0, 7, 0x1b, '[', 0x9b, 0x202e, 0x3b5, '\r', '\r'};
    for (int twice = 0; twice < 2; twice++) {
        paste_begin(&paste);
        for (size_t i = 0; i < sizeof runes / sizeof *runes; i++)
            paste_add(&paste, runes[i]);
        assert_string_equal(strbuf_string(&paste.text), "a\nb\nc\n\t[ε\n\n");
    }
    for (int i = 0; i < PASTE_MAX; i++)
        paste_add(&paste, 0x3b5);
    assert_true(paste.text.length <= PASTE_MAX);
    strbuf_free(&paste.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_are_typed_and_deleted),
        cmocka_unit_test(control_characters_are_no_text),
        cmocka_unit_test(what_combines_stays_together),
        cmocka_unit_test(bytes_that_are_no_characters_are_kept),
        cmocka_unit_test(enter_keeps_the_indentation),
        cmocka_unit_test(blanks_at_the_start_go_by_twos),
        cmocka_unit_test(lines_that_end_in_cr_lf_stay_so),
        cmocka_unit_test(up_and_down_keep_the_column),
        cmocka_unit_test(moves_go_by_words_and_to_the_ends),
        cmocka_unit_test(a_word_is_undone_at_once),
        cmocka_unit_test(moving_ends_what_is_undone_at_once),
        cmocka_unit_test(a_paste_is_one_change),
        cmocka_unit_test(another_text_can_be_undone),
        cmocka_unit_test(it_has_an_end),
        cmocka_unit_test(every_change_can_be_undone_and_done_again),
        cmocka_unit_test(keys_write_the_program),
        cmocka_unit_test(it_is_saved_half_a_second_after_the_first_change),
        cmocka_unit_test(what_is_pasted_is_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
