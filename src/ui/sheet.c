#include "ui/sheet.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROWS = 32, MOST_ROWS = 20000 };

bool sheet_open(struct sheet *sheet, int columns, bool ascii)
{
    *sheet = (struct sheet){.grid = grid_new(columns < 1 ? 1 : columns, FIRST_ROWS, ascii)};
    sheet->failed = !sheet->grid;
    return !sheet->failed;
}

void sheet_close(struct sheet *sheet)
{
    grid_free(sheet->grid);
    *sheet = (struct sheet){0};
}

static bool grow(struct sheet *sheet)
{
    struct grid *grid = sheet->grid;
    if (grid->rows >= MOST_ROWS)
        return false;
    size_t columns = (size_t)grid->columns, old = columns * (size_t)grid->rows;
    struct grid_cell *cells = realloc(grid->cells, 2 * old * sizeof *cells);
    if (!cells)
        return false;
    memset(cells + old, 0, old * sizeof *cells);
    for (size_t i = old; i < 2 * old; i++)
        cells[i].text[0] = ' ';
    grid->cells = cells;
    grid->rows *= 2;
    return true;
}

int sheet_row(struct sheet *sheet)
{
    if (sheet->failed)
        return 0;
    if (sheet->rows == sheet->grid->rows && !grow(sheet)) {
        sheet->failed = true;
        return sheet->rows - 1;
    }
    return sheet->rows++;
}

void sheet_gap(struct sheet *sheet)
{
    if (!sheet->failed && sheet->rows && grid_used(sheet->grid, sheet->rows - 1) > 0)
        sheet_row(sheet);
}

int sheet_put(struct sheet *sheet, int column, int row, enum style style, const char *text)
{
    return sheet->grid ? grid_put(sheet->grid, column, row, -1, style, text) : column;
}

int sheet_width(const struct sheet *sheet, const char *text)
{
    return sheet->grid ? grid_width(sheet->grid, text) : 0;
}

static bool is_glyph(const struct glyph *glyph, char byte)
{
    return glyph->text[0] == byte && !glyph->text[1];
}

size_t glyphs_line(const struct glyph *item, size_t count, int width, size_t *shown)
{
    size_t end = count, next = count, chance = 0;
    int used = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_glyph(&item[i], '\n')) {
            end = i;
            next = i + 1;
            break;
        }
        bool space = is_glyph(&item[i], ' ');
        if (item[i].width == 2 && i > 0)
            chance = i;
        if (!space && used + item[i].width > width) {
            end = next = chance ? chance : i ? i : 1;
            break;
        }
        used += item[i].width;
        if (space || item[i].width == 2)
            chance = i + 1;
    }
    if (next == end || next == count) {
        while (next < count && is_glyph(&item[next], ' '))
            next++;
    }
    while (end > 0 && is_glyph(&item[end - 1], ' '))
        end--;
    *shown = end;
    return next;
}

bool glyphs_broken(const struct glyph *item, size_t count, size_t next)
{
    if (next == 0 || next >= count || item[next - 1].width == 2 || item[next].width == 2)
        return false;
    return !is_glyph(&item[next - 1], ' ') && !is_glyph(&item[next - 1], '\n');
}

static void put_glyphs(struct sheet *sheet, int column, int row, int limit, const struct glyph *item,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct glyph text = item[i];
        column = grid_put(sheet->grid, column, row, limit, item[i].style, text.text);
    }
}

int sheet_glyphs(struct sheet *sheet, int column, int limit, const struct glyphs *glyphs)
{
    int first = sheet->rows;
    if (sheet->failed)
        return first;
    if (limit > sheet->grid->columns)
        limit = sheet->grid->columns;
    int width = limit - column;
    if (width < 1)
        return first;
    for (size_t at = 0; at < glyphs->count && !sheet->failed;) {
        size_t shown;
        size_t next = glyphs_line(glyphs->item + at, glyphs->count - at, width, &shown);
        int row = sheet_row(sheet);
        put_glyphs(sheet, column, row, limit, glyphs->item + at, shown);
        sheet->broken += glyphs_broken(glyphs->item + at, glyphs->count - at, next);
        at += next;
    }
    return first;
}

int sheet_text(struct sheet *sheet, int column, int limit, enum style style, const char *text)
{
    struct glyphs glyphs = {0};
    if (sheet->grid)
        glyphs_add(&glyphs, sheet->grid->ascii, style, text, strlen(text));
    sheet->failed |= glyphs.failed;
    int row = sheet_glyphs(sheet, column, limit, &glyphs);
    glyphs_free(&glyphs);
    return row;
}

void sheet_show(const struct sheet *sheet, int from, int count, struct grid *grid, int column, int row)
{
    if (!sheet->grid)
        return;
    for (int i = 0; i < count; i++) {
        if (from + i < 0 || from + i >= sheet->rows || row + i < 0 || row + i >= grid->rows)
            continue;
        const struct grid_cell *from_cells =
            &sheet->grid->cells[(size_t)(from + i) * (size_t)sheet->grid->columns];
        struct grid_cell *to = &grid->cells[(size_t)(row + i) * (size_t)grid->columns];
        for (int c = 0; c < sheet->grid->columns && column + c < grid->columns; c++)
            to[column + c] = from_cells[c];
    }
    int caret = sheet->grid->cursor_row;
    if (caret >= from && caret < from + count && column + sheet->grid->cursor_column < grid->columns) {
        grid->cursor_row = row + caret - from;
        grid->cursor_column = column + sheet->grid->cursor_column;
    }
}
