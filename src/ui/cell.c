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
    if (cell->flags & CELL_SET)
        return STYLE_SET;
    if (cell->flags & CELL_FAILS)
        return STYLE_WRONG;
    if (cell->flags & CELL_PASSES)
        return STYLE_RIGHT;
    return (cell->flags & CELL_STAGE) || in_cursor_row ? STYLE_STRONG : STYLE_PLAIN;
}

const char *cell_sign(const struct cell *cell)
{
    return cell->flags & CELL_FAILS ? "✗ " : cell->flags & CELL_PASSES ? "✓ " : "";
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

void cell_slice(int count, int room, int cursor, int *first, int *shown)
{
    *first = 0;
    *shown = count < room ? count : room;
    if (cursor >= *shown)
        *first = cursor - *shown + 1;
    if (*first + *shown > count)
        *first = count - *shown;
}

void cell_window(int count, int rows, int cursor, int *first, int *shown)
{
    cell_slice(count, count > rows && rows > 1 ? rows - 1 : rows, cursor, first, shown);
}
