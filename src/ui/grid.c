#include "ui/grid.h"

#include <stdlib.h>
#include <string.h>

#include "ui/glyph.h"
#include "ui/theme.h"

struct grid *grid_new(int columns, int rows, bool ascii)
{
    if (columns < 1 || rows < 1 || columns > 10000 || rows > 100000)
        return NULL;
    struct grid *grid = calloc(1, sizeof *grid);
    if (!grid)
        return NULL;
    grid->columns = columns;
    grid->rows = rows;
    grid->ascii = ascii;
    grid->cells = malloc((size_t)columns * (size_t)rows * sizeof *grid->cells);
    if (!grid->cells) {
        free(grid);
        return NULL;
    }
    grid_clear(grid);
    return grid;
}

void grid_free(struct grid *grid)
{
    if (!grid)
        return;
    free(grid->cells);
    free(grid);
}

void grid_clear(struct grid *grid)
{
    size_t count = (size_t)grid->columns * (size_t)grid->rows;
    memset(grid->cells, 0, count * sizeof *grid->cells);
    for (size_t i = 0; i < count; i++)
        grid->cells[i].text[0] = ' ';
    grid->cursor_column = grid->cursor_row = -1;
}

static struct grid_cell *cell_at(struct grid *grid, int column, int row)
{
    return &grid->cells[(size_t)row * (size_t)grid->columns + (size_t)column];
}

static void blank(struct grid_cell *cell)
{
    memset(cell->text, 0, sizeof cell->text);
    cell->text[0] = ' ';
}

/* Half of a wide character that is written over leaves a blank, never a torn cell. */
static void untie(struct grid *grid, int column, int row)
{
    if (column < 0 || column >= grid->columns)
        return;
    if (!cell_at(grid, column, row)->text[0] && column > 0)
        blank(cell_at(grid, column - 1, row));
    if (column + 1 < grid->columns && !cell_at(grid, column + 1, row)->text[0])
        blank(cell_at(grid, column + 1, row));
}

static void set_glyph(struct grid *grid, int column, int row, const struct glyph *glyph, enum style style)
{
    for (int i = 0; i < glyph->width; i++)
        untie(grid, column + i, row);
    struct grid_cell *cell = cell_at(grid, column, row);
    memcpy(cell->text, glyph->text, sizeof cell->text);
    cell->style = (uint8_t)style;
    if (glyph->width == 2) {
        memset(cell[1].text, 0, sizeof cell[1].text);
        cell[1].style = (uint8_t)style;
    }
}

int grid_put(struct grid *grid, int column, int row, int limit, enum style style, const char *text)
{
    if (limit < 0 || limit > grid->columns)
        limit = grid->columns;
    struct glyph_reader reader;
    glyph_read(&reader, text, strlen(text), grid->ascii);
    struct glyph glyph;
    while (column < limit && glyph_next(&reader, &glyph)) {
        if (column + glyph.width > limit)
            break;
        if (row >= 0 && row < grid->rows && column >= 0)
            set_glyph(grid, column, row, &glyph, style);
        column += glyph.width;
    }
    return column;
}

static int width_of(const char *text, bool ascii)
{
    struct glyph_reader reader;
    glyph_read(&reader, text, strlen(text), ascii);
    struct glyph glyph;
    int width = 0;
    while (width < 1000000 && glyph_next(&reader, &glyph))
        width += glyph.width;
    return width;
}

int grid_text_width(const char *text)
{
    return width_of(text, false);
}

int grid_width(const struct grid *grid, const char *text)
{
    return width_of(text, grid->ascii);
}

int grid_put_fit(struct grid *grid, int column, int row, int limit, enum style style, const char *text)
{
    if (limit < 0 || limit > grid->columns)
        limit = grid->columns;
    if (column + grid_width(grid, text) <= limit)
        return grid_put(grid, column, row, limit, style, text);
    int mark = grid_width(grid, "…");
    if (limit - column < mark)
        return grid_put(grid, column, row, limit, style, "…");
    column = grid_put(grid, column, row, limit - mark, style, text);
    return grid_put(grid, column, row, limit, style, "…");
}

static void write_look(struct strbuf *out, enum style style, int colours)
{
    struct look look = theme_look(style, colours);
    strbuf_add(out, "\033[0");
    if (look.bold)
        strbuf_add(out, ";1");
    if (look.dim)
        strbuf_add(out, ";2");
    if (look.italic)
        strbuf_add(out, ";3");
    if (look.colour >= 0)
        strbuf_addf(out, ";38;5;%d", look.colour);
    strbuf_add(out, "m");
}

int grid_used(const struct grid *grid, int row)
{
    const struct grid_cell *cells = &grid->cells[(size_t)row * (size_t)grid->columns];
    int columns = grid->columns;
    while (columns > 0 && strcmp(cells[columns - 1].text, " ") == 0)
        columns--;
    return columns;
}

void grid_write(const struct grid *grid, bool ansi, struct strbuf *out)
{
    int colours = theme_colour_wanted() ? 256 : 0;
    for (int row = 0; row < grid->rows; row++) {
        const struct grid_cell *cells = &grid->cells[(size_t)row * (size_t)grid->columns];
        int columns = grid_used(grid, row);
        enum style now = STYLE_PLAIN;
        for (int column = 0; column < columns; column++) {
            enum style style = cells[column].style;
            bool space = strcmp(cells[column].text, " ") == 0;
            if (ansi && style != now && !space) {
                write_look(out, style, colours);
                now = style;
            }
            strbuf_add(out, cells[column].text);
        }
        if (ansi && now != STYLE_PLAIN)
            strbuf_add(out, "\033[0m");
        strbuf_add(out, "\n");
    }
}
