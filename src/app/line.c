#include "app/line.h"

#include <string.h>

#include "base/visible.h"

static size_t after(const struct line *line, size_t at)
{
    if (at >= line->length)
        return line->length;
    uint32_t rune;
    do
        at += utf8_decode(line->text + at, line->length - at, &rune);
    while (at < line->length && utf8_decode(line->text + at, line->length - at, &rune) && utf8_width(rune) == 0);
    return at;
}

static size_t before(const struct line *line, size_t at)
{
    size_t from = 0;
    for (size_t next = 0; next < at; next = after(line, next))
        from = next;
    return from;
}

static void cut(struct line *line, size_t from, size_t to)
{
    memmove(line->text + from, line->text + to, line->length - to + 1);
    line->length -= to - from;
    line->cursor = from;
}

static void put(struct line *line, const char *text, size_t length)
{
    if (line->length + length > LINE_MAX_BYTES)
        return;
    memmove(line->text + line->cursor + length, line->text + line->cursor, line->length - line->cursor + 1);
    memcpy(line->text + line->cursor, text, length);
    line->length += length;
    line->cursor += length;
}

void line_set(struct line *line, const char *text)
{
    size_t length = strlen(text), end = 0;
    while (end < length) {
        uint32_t rune;
        size_t step = utf8_decode(text + end, length - end, &rune);
        if (end + step > LINE_MAX_BYTES)
            break;
        end += step;
    }
    memcpy(line->text, text, end);
    line->text[end] = '\0';
    line->length = line->cursor = end;
}

bool line_paste(struct line *line, const char *text)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        length--;
    if (length == 0 || line->length + length > LINE_MAX_BYTES)
        return false;
    put(line, text, length);
    return true;
}

static size_t word_before(const struct line *line)
{
    size_t at = line->cursor;
    while (at > 0 && line->text[at - 1] == ' ')
        at--;
    while (at > 0 && line->text[at - 1] != ' ')
        at--;
    return at;
}

static bool control(struct line *line, uint32_t letter)
{
    switch (letter) {
    case 'a': line->cursor = 0; return true;
    case 'e': line->cursor = line->length; return true;
    case 'b': line->cursor = before(line, line->cursor); return true;
    case 'f': line->cursor = after(line, line->cursor); return true;
    case 'd': cut(line, line->cursor, after(line, line->cursor)); return true;
    case 'h': cut(line, before(line, line->cursor), line->cursor); return true;
    case 'k': cut(line, line->cursor, line->length); return true;
    case 'u': cut(line, 0, line->cursor); return true;
    case 'w': cut(line, word_before(line), line->cursor); return true;
    default: return false;
    }
}

bool line_key(struct line *line, struct key key)
{
    switch (key.code) {
    case KEY_CHAR_: {
        char bytes[4];
        if (key.rune == 0 || visible_rune(key.rune) != key.rune)
            return false;
        put(line, bytes, utf8_encode(bytes, key.rune));
        return true;
    }
    case KEY_CTRL_: return control(line, key.rune);
    case KEY_BACKSPACE_: return control(line, 'h');
    case KEY_DELETE_: return control(line, 'd');
    case KEY_LEFT_: return control(line, 'b');
    case KEY_RIGHT_: return control(line, 'f');
    case KEY_HOME_: return control(line, 'a');
    case KEY_END_: return control(line, 'e');
    default: return false;
    }
}
