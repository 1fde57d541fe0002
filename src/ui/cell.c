#include <string.h>

#include "ui/view.h"

enum style cell_style(const struct cell *cell, bool in_cursor_row)
{
    if (cell->flags & CELL_HIDDEN)
        return STYLE_HIDDEN;
    if (cell->flags & CELL_CHANGED)
        return STYLE_CHANGED;
    if (cell->flags & CELL_CURSOR)
        return STYLE_CURSOR;
    return (cell->flags & CELL_STAGE) || in_cursor_row ? STYLE_STRONG : STYLE_PLAIN;
}

bool cell_pointed(const struct cell *cell, size_t marked)
{
    return (cell->flags & CELL_CURSOR) && (marked == 1 || (cell->flags & CELL_EDITABLE));
}

int cell_point(const struct grid *grid, const struct cell *cell)
{
    size_t bytes = strcspn(cell->text, ".");
    if (!cell->text[bytes])
        bytes = strcspn(cell->text, "0123456789") < strlen(cell->text) ? strcspn(cell->text, "eE")
                                                                       : strlen(cell->text);
    return grid_width(grid, cell->text) - grid_width(grid, cell->text + bytes);
}

void cell_window(int count, int rows, int cursor, int *first, int *shown)
{
    *first = 0;
    *shown = count;
    if (count <= rows)
        return;
    *shown = rows > 1 ? rows - 1 : rows;
    if (cursor >= *shown)
        *first = cursor - *shown + 1;
    if (*first + *shown > count)
        *first = count - *shown;
}
