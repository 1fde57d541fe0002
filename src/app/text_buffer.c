#include "app/text_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/visible.h"

enum { TAB = 4, EDITS_MAX = 4096 };
static const size_t EDIT_BYTES_MAX = (size_t)4 << 20;

enum run { RUN_NONE, RUN_WORD, RUN_BLANKS, RUN_BACKSPACE, RUN_DELETE };

/* `removed` bytes at `at` gave way to `inserted`; `bytes` holds those of both. */
struct text_edit {
    size_t at, removed, inserted, cursor;
    char *bytes;
};

int text_buffer_open(struct text_buffer *out, const char *text)
{
    size_t length = strlen(text);
    *out = (struct text_buffer){.goal = -1};
    if (length > TEXT_BUFFER_MAX || !(out->text = malloc(TEXT_BUFFER_MAX + 1)))
        return -1;
    memcpy(out->text, text, length + 1);
    out->length = length;
    return 0;
}

void text_buffer_close(struct text_buffer *buffer)
{
    for (size_t i = 0; i < buffer->edit_count; i++)
        free(buffer->edits[i].bytes);
    free(buffer->edits);
    free(buffer->text);
    *buffer = (struct text_buffer){.goal = -1};
}

/* ---- places ---- */

static size_t line_start(const struct text_buffer *buffer, size_t at)
{
    while (at > 0 && buffer->text[at - 1] != '\n')
        at--;
    return at;
}

static bool ends_line(const struct text_buffer *buffer, size_t at)
{
    const char *text = buffer->text + at;
    return text[0] == '\n' || (text[0] == '\r' && text[1] == '\n') || at == buffer->length;
}

static size_t line_end(const struct text_buffer *buffer, size_t at)
{
    while (!ends_line(buffer, at))
        at++;
    return at;
}

static size_t after(const struct text_buffer *buffer, size_t at)
{
    const char *text = buffer->text;
    uint32_t rune;
    if (at >= buffer->length)
        return buffer->length;
    if (ends_line(buffer, at))
        return at + (text[at] == '\r' ? 2 : 1);
    do
        at += utf8_decode(text + at, buffer->length - at, &rune);
    while (!ends_line(buffer, at) && (unsigned char)text[at] >= 0x80 && utf8_decode(text + at, buffer->length - at, &rune) &&
           utf8_width(visible_rune(rune)) == 0);
    return at;
}

static size_t before(const struct text_buffer *buffer, size_t at)
{
    size_t from = line_start(buffer, at);
    if (from == at)
        return at == 0 ? 0 : at >= 2 && buffer->text[at - 2] == '\r' ? at - 2 : at - 1;
    for (size_t next = after(buffer, from); next < at; next = after(buffer, from))
        from = next;
    return from;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* 0: blanks, 1: signs, 2: a word. */
static int sort_of(char c)
{
    return is_blank(c) ? 0 : is_word(c) ? 2 : 1;
}

static size_t word_before(const struct text_buffer *buffer, size_t at)
{
    while (at > 0 && is_blank(buffer->text[at - 1]))
        at--;
    int sort = at > 0 ? sort_of(buffer->text[at - 1]) : 0;
    while (at > 0 && sort_of(buffer->text[at - 1]) == sort)
        at--;
    return at > 0 ? before(buffer, at + 1) : 0; /* not between a sign and what combines with it */
}

static size_t word_after(const struct text_buffer *buffer, size_t at)
{
    int sort = at < buffer->length ? sort_of(buffer->text[at]) : 0;
    while (at < buffer->length && sort != 0 && sort_of(buffer->text[at]) == sort)
        at++;
    while (at < buffer->length && is_blank(buffer->text[at]))
        at++;
    return at;
}

static size_t first_letter(const struct text_buffer *buffer, size_t at)
{
    at = line_start(buffer, at);
    while (buffer->text[at] == ' ' || buffer->text[at] == '\t')
        at++;
    return at;
}

/* ---- columns ---- */

static int column_after(const struct text_buffer *buffer, size_t at, int column)
{
    uint32_t rune;
    utf8_decode(buffer->text + at, buffer->length - at, &rune);
    if (rune == '\t')
        return column + TAB - column % TAB;
    int width = utf8_width(visible_rune(rune));
    return column + (width > 0 ? width : 1);
}

static int column_of(const struct text_buffer *buffer, size_t at)
{
    int column = 0;
    for (size_t i = line_start(buffer, at); i < at; i = after(buffer, i))
        column = column_after(buffer, i, column);
    return column;
}

static size_t place_at(const struct text_buffer *buffer, size_t start, int goal)
{
    int column = 0;
    size_t at = start;
    while (!ends_line(buffer, at)) {
        column = column_after(buffer, at, column);
        if (column > goal)
            break;
        at = after(buffer, at);
    }
    return at;
}

/* The cursor may not stand within a character: it goes on to the end of it. */
static void settle_cursor(struct text_buffer *buffer, size_t cursor)
{
    size_t at = line_start(buffer, cursor);
    while (at < cursor)
        at = after(buffer, at);
    buffer->cursor = at;
}

/* ---- changes ---- */

static void forget(struct text_buffer *buffer, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        buffer->edit_bytes -= buffer->edits[i].removed + buffer->edits[i].inserted;
        free(buffer->edits[i].bytes);
    }
    memmove(buffer->edits + from, buffer->edits + to, (buffer->edit_count - to) * sizeof *buffer->edits);
    buffer->edit_count -= to - from;
}

static struct text_edit *add_edit(struct text_buffer *buffer)
{
    struct text_edit *edits = list_room(buffer->edits, buffer->edit_count, &buffer->edit_capacity, sizeof *edits);
    if (!edits)
        return NULL;
    buffer->edits = edits;
    return &buffer->edits[buffer->edit_count];
}

static void put(struct text_buffer *buffer, size_t at, size_t remove, const char *text, size_t length)
{
    memmove(buffer->text + at + length, buffer->text + at + remove, buffer->length - at - remove + 1);
    memcpy(buffer->text + at, text, length);
    buffer->length += length - remove;
}

/* The last edit grows by this one, which goes on where it ended; false: it is another one. */
static bool join(struct text_buffer *buffer, size_t at, size_t remove, const char *text, size_t length, enum run run)
{
    if (run == RUN_NONE || buffer->run != (int)run || buffer->done == 0 || buffer->done != buffer->edit_count)
        return false;
    struct text_edit *edit = &buffer->edits[buffer->done - 1];
    bool typing = remove == 0 && edit->removed == 0 && at == edit->at + edit->inserted;
    bool back = length == 0 && edit->inserted == 0 && at + remove == edit->at;
    bool forth = length == 0 && edit->inserted == 0 && at == edit->at;
    if (!typing && !back && !forth)
        return false;
    size_t size = edit->removed + edit->inserted;
    char *bytes = realloc(edit->bytes, size + remove + length);
    if (!bytes)
        return false;
    edit->bytes = bytes;
    if (typing) {
        memcpy(bytes + size, text, length);
        edit->inserted += length;
    } else if (back) {
        memmove(bytes + remove, bytes, size);
        memcpy(bytes, buffer->text + at, remove);
        edit->removed += remove;
        edit->at = at;
    } else {
        memcpy(bytes + size, buffer->text + at, remove);
        edit->removed += remove;
    }
    buffer->edit_bytes += remove + length;
    return true;
}

static bool record(struct text_buffer *buffer, size_t at, size_t remove, const char *text, size_t length)
{
    struct text_edit *edit = add_edit(buffer);
    char *bytes = edit ? malloc(remove + length) : NULL;
    if (!bytes)
        return false;
    forget(buffer, buffer->done, buffer->edit_count);
    edit = &buffer->edits[buffer->edit_count++];
    *edit = (struct text_edit){.at = at, .removed = remove, .inserted = length, .cursor = buffer->cursor, .bytes = bytes};
    memcpy(bytes, buffer->text + at, remove);
    memcpy(bytes + remove, text, length);
    buffer->edit_bytes += remove + length;
    while (buffer->edit_count > 1 && (buffer->edit_bytes > EDIT_BYTES_MAX || buffer->edit_count > EDITS_MAX))
        forget(buffer, 0, 1);
    buffer->done = buffer->edit_count;
    return true;
}

static bool change(struct text_buffer *buffer, size_t at, size_t remove, const char *text, size_t length, enum run run)
{
    if (remove + length == 0 || buffer->length - remove + length > TEXT_BUFFER_MAX)
        return false;
    if (!join(buffer, at, remove, text, length, run) && !record(buffer, at, remove, text, length))
        return false;
    put(buffer, at, remove, text, length);
    settle_cursor(buffer, at + length);
    buffer->goal = -1;
    buffer->run = (int)run;
    return true;
}

bool text_buffer_type(struct text_buffer *buffer, uint32_t rune)
{
    char bytes[4];
    if (rune == 0 || visible_rune(rune) != rune)
        return false;
    return change(buffer, buffer->cursor, 0, bytes, utf8_encode(bytes, rune), rune == ' ' ? RUN_BLANKS : RUN_WORD);
}

bool text_buffer_enter(struct text_buffer *buffer)
{
    const char *first_end = strchr(buffer->text, '\n');
    bool returns = first_end && first_end > buffer->text && first_end[-1] == '\r';
    size_t start = line_start(buffer, buffer->cursor), letter = first_letter(buffer, buffer->cursor);
    size_t indent = (letter < buffer->cursor ? letter : buffer->cursor) - start, used = 0;
    char *line = malloc(indent + 2);
    if (!line)
        return false;
    if (returns)
        line[used++] = '\r';
    line[used++] = '\n';
    memcpy(line + used, buffer->text + start, indent);
    bool done = change(buffer, buffer->cursor, 0, line, used + indent, RUN_NONE);
    free(line);
    return done;
}

bool text_buffer_indent(struct text_buffer *buffer)
{
    return change(buffer, buffer->cursor, 0, "  ", TEXT_INDENT, RUN_NONE);
}

bool text_buffer_outdent(struct text_buffer *buffer)
{
    size_t start = line_start(buffer, buffer->cursor), blanks = 0, cursor = buffer->cursor;
    if (buffer->text[start] == '\t')
        blanks = 1;
    while (blanks < TEXT_INDENT && buffer->text[start + blanks] == ' ')
        blanks++;
    if (!change(buffer, start, blanks, "", 0, RUN_NONE))
        return false;
    settle_cursor(buffer, cursor > start + blanks ? cursor - blanks : start);
    return true;
}

bool text_buffer_insert(struct text_buffer *buffer, const char *text)
{
    return change(buffer, buffer->cursor, 0, text, strlen(text), RUN_NONE);
}

bool text_buffer_backspace(struct text_buffer *buffer)
{
    size_t at = buffer->cursor, start = line_start(buffer, at), column = at - start;
    bool blanks = column > 0;
    for (size_t i = start; i < at; i++)
        blanks &= buffer->text[i] == ' ';
    size_t from = blanks ? start + (column - 1) / TEXT_INDENT * TEXT_INDENT : before(buffer, at);
    return change(buffer, from, at - from, "", 0, RUN_BACKSPACE);
}

bool text_buffer_delete(struct text_buffer *buffer)
{
    return change(buffer, buffer->cursor, after(buffer, buffer->cursor) - buffer->cursor, "", 0, RUN_DELETE);
}

bool text_buffer_delete_word(struct text_buffer *buffer)
{
    size_t from = word_before(buffer, buffer->cursor);
    return change(buffer, from, buffer->cursor - from, "", 0, RUN_NONE);
}

bool text_buffer_delete_to_end(struct text_buffer *buffer)
{
    size_t end = line_end(buffer, buffer->cursor);
    if (end == buffer->cursor)
        end = after(buffer, end);
    return change(buffer, buffer->cursor, end - buffer->cursor, "", 0, RUN_NONE);
}

bool text_buffer_become(struct text_buffer *buffer, const char *text)
{
    size_t length = strlen(text), shorter = length < buffer->length ? length : buffer->length, same = 0, end = 0;
    size_t cursor = buffer->cursor, was = buffer->length;
    while (same < shorter && text[same] == buffer->text[same])
        same++;
    while (end < shorter - same && text[length - 1 - end] == buffer->text[was - 1 - end])
        end++;
    if (!change(buffer, same, was - same - end, text + same, length - same - end, RUN_NONE))
        return false;
    settle_cursor(buffer, cursor <= same ? cursor : cursor >= was - end ? length - (was - cursor) : same);
    return true;
}

/* ---- undo and redo ---- */

bool text_buffer_undo(struct text_buffer *buffer)
{
    buffer->run = RUN_NONE;
    if (buffer->done == 0)
        return false;
    const struct text_edit *edit = &buffer->edits[--buffer->done];
    put(buffer, edit->at, edit->inserted, edit->bytes, edit->removed);
    settle_cursor(buffer, edit->cursor);
    buffer->goal = -1;
    return true;
}

bool text_buffer_redo(struct text_buffer *buffer)
{
    buffer->run = RUN_NONE;
    if (buffer->done == buffer->edit_count)
        return false;
    const struct text_edit *edit = &buffer->edits[buffer->done++];
    put(buffer, edit->at, edit->removed, edit->bytes + edit->removed, edit->inserted);
    settle_cursor(buffer, edit->at + edit->inserted);
    buffer->goal = -1;
    return true;
}

/* ---- moves ---- */

static size_t moved(const struct text_buffer *buffer, enum text_move move)
{
    size_t at = buffer->cursor, letter;
    switch (move) {
    case MOVE_LEFT: return before(buffer, at);
    case MOVE_RIGHT: return after(buffer, at);
    case MOVE_WORD_LEFT: return word_before(buffer, at);
    case MOVE_WORD_RIGHT: return word_after(buffer, at);
    case MOVE_HOME:
        letter = first_letter(buffer, at);
        return at == letter ? line_start(buffer, at) : letter;
    case MOVE_END: return line_end(buffer, at);
    case MOVE_START: return 0;
    case MOVE_FINISH: return buffer->length;
    }
    return at;
}

void text_buffer_move(struct text_buffer *buffer, enum text_move move)
{
    settle_cursor(buffer, moved(buffer, move));
    buffer->goal = -1;
    buffer->run = RUN_NONE;
}

void text_buffer_move_lines(struct text_buffer *buffer, long lines)
{
    int goal = buffer->goal >= 0 ? buffer->goal : column_of(buffer, buffer->cursor);
    size_t start = line_start(buffer, buffer->cursor);
    for (; lines < 0 && start > 0; lines++)
        start = line_start(buffer, start - 1);
    for (; lines > 0; lines--) {
        size_t end = line_end(buffer, start);
        if (end == buffer->length)
            break;
        start = after(buffer, end);
    }
    buffer->cursor = place_at(buffer, start, goal);
    buffer->goal = goal;
    buffer->run = RUN_NONE;
}
