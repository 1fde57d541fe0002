/* A sheet that grows downwards: text is laid out on it once, and a window of it is shown. */
#ifndef UI_SHEET_H
#define UI_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include "ui/glyph.h"
#include "ui/grid.h"

struct sheet {
    struct grid *grid; /* at least `rows` rows */
    int rows;          /* those in use */
    bool failed;       /* out of memory: what was added since is missing */
    int broken;        /* lines that had to be broken within a word, or that go on in the next one though they are code */
};

bool sheet_open(struct sheet *sheet, int columns,
                bool ascii); /* false: out of memory; the sheet is then empty but safe to use */
void sheet_close(struct sheet *sheet);
int sheet_row(struct sheet *sheet);  /* adds a blank row and returns its number */
void sheet_gap(struct sheet *sheet); /* a blank row, unless the sheet is empty or ends in one */
int sheet_put(struct sheet *sheet, int column, int row, enum style style,
              const char *text); /* returns the column after */
int sheet_width(const struct sheet *sheet, const char *text);
/* Adds glyphs as rows wrapped between two columns; a glyph "\n" ends a line. Returns the first row. */
int sheet_glyphs(struct sheet *sheet, int column, int limit, const struct glyphs *glyphs);
int sheet_text(struct sheet *sheet, int column, int limit, enum style style,
               const char *text); /* the same for one style */
/* Copies rows [from, from + count) to the grid; the caret of the sheet, if among them, becomes the grid's. */
void sheet_show(const struct sheet *sheet, int from, int count, struct grid *grid, int column, int row);

/* One line of a text wrapped to `width`: how many glyphs are shown; returns where the next line starts
 * (count: none). */
size_t glyphs_line(const struct glyph *item, size_t count, int width, size_t *shown);
bool glyphs_broken(const struct glyph *item, size_t count, size_t next); /* the next line starts within a word */

#endif
