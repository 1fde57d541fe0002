/* Text as a row of screen cells: control bytes visible, marks joined to the letter they sit on, ASCII
 * stand-ins where asked. */
#ifndef UI_GLYPH_H
#define UI_GLYPH_H

#include <stdbool.h>
#include <stddef.h>
#include "ui/grid.h"

struct glyph {
    char text[16];
    uint8_t style;
    uint8_t width; /* 1 or 2 columns */
};

struct glyph_reader {
    const char *text;
    size_t length;
    const char *pending; /* the rest of a stand-in */
    bool ascii;
};

void glyph_read(struct glyph_reader *reader, const char *text, size_t length, bool ascii);
bool glyph_next(struct glyph_reader *reader, struct glyph *glyph); /* leaves `style` alone; false: no more */
/* What ASCII shows for a character that is not; NULL: nothing stands in. `next` is the byte after it, 0 at the end. */
const char *glyph_stand_in(uint32_t rune, char next);
/* The same for mathematical signs and Greek letters alone: what speech reads badly. */
const char *glyph_spoken(uint32_t rune, char next);

/* A growing row of glyphs. Zero-initialise it. */
struct glyphs {
    struct glyph *item;
    size_t count, capacity;
    bool failed;
};
void glyphs_add(struct glyphs *glyphs, bool ascii, enum style style, const char *text, size_t length);
void glyphs_free(struct glyphs *glyphs);

#endif
