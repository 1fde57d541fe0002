/* A grid of cells: what is on the screen, before any terminal is involved. `show` prints it, tests compare it, the terminal gets the
   difference. */
#ifndef UI_GRID_H
#define UI_GRID_H

#include <stdbool.h>
#include <stdint.h>
#include "base/strbuf.h"

/* What a piece of the screen means; a theme gives it colour and weight. */
enum style {
    STYLE_PLAIN, STYLE_DIM, STYLE_STRONG, STYLE_EMPHASIS, STYLE_CODE, STYLE_TITLE, STYLE_ACCENT, STYLE_RULE, STYLE_KEY,
    STYLE_RIGHT, STYLE_WRONG, STYLE_NOTICE, STYLE_CURSOR, STYLE_CHANGED, STYLE_POSITIVE, STYLE_NEGATIVE, STYLE_BEFORE,
    STYLE_HIDDEN, STYLE_SELECTED, STYLE_SET, STYLE_KEYWORD, STYLE_STRING, STYLE_NUMBER, STYLE_COMMENT, STYLE_COUNT
};

struct grid_cell {
    char text[16];  /* one character with what combines with it; "" in the right half of a wide one */
    uint8_t style;
};

struct grid {
    int columns, rows;
    struct grid_cell *cells;
    int cursor_column, cursor_row; /* the terminal's cursor; -1: hidden */
    bool ascii;                    /* only ASCII reaches the cells: stand-ins are put for the rest */
};

struct grid *grid_new(int columns, int rows, bool ascii); /* NULL: out of memory */
void grid_free(struct grid *grid);
void grid_clear(struct grid *grid);
/* Writes text from (column, row) on, clipped at `limit` (a column; -1: the edge); control bytes become visible symbols. Returns the column after. */
int grid_put(struct grid *grid, int column, int row, int limit, enum style style, const char *text);
int grid_text_width(const char *text); /* in columns, as it stands */
int grid_width(const struct grid *grid, const char *text); /* in columns, as grid_put writes it: with stand-ins where `ascii` */
/* Like grid_put, but what does not fit before `limit` ends in "…". */
int grid_put_fit(struct grid *grid, int column, int row, int limit, enum style style, const char *text);
int grid_used(const struct grid *grid, int row); /* columns of a row up to its last character */
/* The grid as lines, trailing blanks cut; with `ansi`, SGR sequences for a 256-colour terminal (weights only under NO_COLOR). */
void grid_write(const struct grid *grid, bool ansi, struct strbuf *out);

#endif
