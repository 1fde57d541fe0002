#include "ui/glyph.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/visible.h"

void glyph_read(struct glyph_reader *reader, const char *text, size_t length, bool ascii)
{
    *reader = (struct glyph_reader){.text = text, .length = length, .ascii = ascii};
}

/* Joiners and variation selectors change widths from one terminal to the next, so they are left out. */
static bool changes_width(uint32_t rune)
{
    return rune == 0x200D || rune == 0xAD || (rune >= 0xFE00 && rune <= 0xFE0F) || rune >= 0xE0000;
}

static size_t next_rune(const struct glyph_reader *reader, uint32_t *rune)
{
    size_t took = utf8_decode(reader->text, reader->length, rune);
    *rune = visible_rune(*rune == '\t' ? ' ' : *rune);
    return took;
}

static void skip(struct glyph_reader *reader, size_t bytes)
{
    reader->text += bytes;
    reader->length -= bytes;
}

static void join_marks(struct glyph_reader *reader, struct glyph *glyph)
{
    size_t used = strlen(glyph->text);
    while (reader->length && (unsigned char)*reader->text >= 0x80) {
        uint32_t rune;
        size_t took = next_rune(reader, &rune);
        if (utf8_width(rune) != 0)
            return;
        char bytes[4];
        size_t count = utf8_encode(bytes, rune);
        if (!reader->ascii && !changes_width(rune) && used + count < sizeof glyph->text) {
            memcpy(glyph->text + used, bytes, count);
            used += count;
            glyph->text[used] = '\0';
        }
        skip(reader, took);
    }
}

static bool is_printable(char byte)
{
    return byte >= ' ' && byte < 0x7F;
}

bool glyph_next(struct glyph_reader *reader, struct glyph *glyph)
{
    memset(glyph->text, 0, sizeof glyph->text);
    glyph->width = 1;
    if (reader->pending && *reader->pending) {
        glyph->text[0] = *reader->pending++;
        return true;
    }
    if (reader->length > 1 && is_printable(reader->text[0]) && is_printable(reader->text[1])) {
        glyph->text[0] = *reader->text;
        skip(reader, 1);
        return true;
    }
    uint32_t rune = 0;
    for (;;) {
        if (!reader->length)
            return false;
        skip(reader, next_rune(reader, &rune));
        if (!changes_width(rune))
            break;
    }
    int width = utf8_width(rune);
    if (width == 0) /* a mark with nothing to sit on */
        glyph->text[0] = ' ';
    if (reader->ascii && rune >= 0x80) {
        const char *text = glyph->text[0] ? " " : glyph_stand_in(rune, reader->length ? *reader->text : '\0');
        glyph->text[0] = text ? text[0] : '?';
        reader->pending = text ? text + 1 : NULL;
    } else {
        char *end = glyph->text + strlen(glyph->text);
        utf8_encode(end, rune);
        if (width == 2)
            glyph->width = 2;
    }
    join_marks(reader, glyph);
    return true;
}

void glyphs_add(struct glyphs *glyphs, bool ascii, enum style style, const char *text, size_t length)
{
    struct glyph_reader reader;
    glyph_read(&reader, text, length, ascii);
    struct glyph glyph = {.style = (uint8_t)style};
    while (!glyphs->failed && glyph_next(&reader, &glyph)) {
        struct glyph *item = list_room(glyphs->item, glyphs->count, &glyphs->capacity, sizeof *item);
        if (!item) {
            glyphs->failed = true;
            return;
        }
        glyphs->item = item;
        glyphs->item[glyphs->count++] = glyph;
    }
}

void glyphs_free(struct glyphs *glyphs)
{
    free(glyphs->item);
    *glyphs = (struct glyphs){0};
}
