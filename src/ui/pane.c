#include "ui/pane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "ui/code.h"
#include "ui/glyph.h"
#include "ui/highlight.h"

enum { TAB = 4, TITLE_FROM = 4 /* rows from which the name stands above */ };

/* ---- lines ---- */

static int lines_before(const char *text, size_t at)
{
    int lines = 0;
    for (size_t i = 0; i < at; i++)
        lines += text[i] == '\n';
    return lines;
}

static int lines_of(const struct code_pane *pane)
{
    return lines_before(pane->text, strlen(pane->text)) + 1;
}

static const char *line_at(const char *text, int line)
{
    while (line-- > 0 && (text = strchr(text, '\n')))
        text++;
    return text;
}

static size_t line_length(const char *line)
{
    size_t length = strcspn(line, "\n");
    return line[length] == '\n' && length > 0 && line[length - 1] == '\r' ? length - 1 : length;
}

int pane_rows(const struct code_pane *pane)
{
    int lines = lines_of(pane);
    return 1 + (lines < 1000 ? lines : 1000);
}

uint32_t pane_line_now(const char *before, const char *now, uint32_t line)
{
    size_t was = strlen(before), is = strlen(now), shorter = was < is ? was : is, same = 0, end = 0;
    const char *at = line > 0 ? line_at(before, (int)line - 1) : NULL;
    if (!at)
        return 0;
    while (same < shorter && before[same] == now[same])
        same++;
    while (end < shorter - same && before[was - 1 - end] == now[is - 1 - end])
        end++;
    size_t from = (size_t)(at - before), to = from + strcspn(at, "\n");
    if (same == was && same == is)
        return line;
    if (to < same || (to == same && (now[same] == '\n' || now[same] == '\0')))
        return line;
    if (from >= was - end && (from > was - end || is == end || now[is - end - 1] == '\n'))
        return (uint32_t)lines_before(now, from + is - was) + 1;
    return 0;
}

/* ---- glyphs of a line ---- */

struct walk {
    struct glyph_reader reader;
    const char *text;
    size_t at;  /* where the glyph's character begins in the text */
    int column; /* where it is shown, from 0 */
    int width;
    struct glyph glyph;
};

static void walk_line(struct walk *walk, const char *text, const char *line, bool ascii)
{
    *walk = (struct walk){.text = text};
    glyph_read(&walk->reader, line, line_length(line), ascii);
}

static bool walk_on(struct walk *walk)
{
    bool pending = walk->reader.pending && *walk->reader.pending;
    bool tab = !pending && walk->reader.length && *walk->reader.text == '\t';
    if (!pending)
        walk->at = (size_t)(walk->reader.text - walk->text);
    walk->column += walk->width;
    if (!glyph_next(&walk->reader, &walk->glyph))
        return false;
    walk->width = tab ? TAB - walk->column % TAB : walk->glyph.width;
    return true;
}

static int column_of(const char *text, const char *line, size_t cursor, bool ascii)
{
    struct walk walk;
    walk_line(&walk, text, line, ascii);
    while (walk_on(&walk))
        if (walk.at >= cursor)
            return walk.column;
    return walk.column;
}

/* The first column shown, so that the caret is: in strides of half a window, lest every key moves all. */
static int first_column(int caret, int width)
{
    int stride = width > 3 ? width / 2 : 1;
    return caret < width - 1 ? 0 : ((caret - width + 1) / stride + 1) * stride;
}

/* ---- drawing ---- */

struct drawing {
    struct grid *grid;
    const char *text;
    const uint8_t *styles;
    int column, width; /* where the lines stand */
    int left;          /* columns of them that are out of sight */
};

static void draw_line(const struct drawing *d, const char *line, int row)
{
    struct walk walk;
    int right = d->column + d->width;
    walk_line(&walk, d->text, line, d->grid->ascii);
    bool cut = false;
    while (!cut && walk_on(&walk)) {
        int column = d->column + walk.column - d->left;
        cut = column + walk.width > right;
        if (!cut && column >= d->column)
            grid_put(d->grid, column, row, right, (enum style)d->styles[walk.at], walk.glyph.text);
    }
    if (cut)
        grid_put(d->grid, right - 1, row, right, STYLE_DIM, "›");
    if (d->left > 0 && walk.column > 0)
        grid_put(d->grid, d->column, row, right, STYLE_DIM, "‹");
}

static void draw_title(struct grid *grid, const struct code_pane *pane, struct box box, const char *name, bool edited,
                       int line, int lines)
{
    int right = box.column + box.columns;
    char words[64];
    snprintf(words, sizeof words, _("line %d of %d"), line, lines);
    const char *state = pane->unsaved ? _("not saved") : edited ? _("edited") : "";
    int column = right - 1 - grid_width(grid, words);
    grid_put(grid, column, box.row, right, STYLE_DIM, words);
    column -= grid_width(grid, state) + 2;
    grid_put(grid, column, box.row, right, pane->unsaved ? STYLE_WRONG : STYLE_NOTICE, state);
    grid_put_fit(grid, box.column + code_margin(pane->text), box.row, column - 1, STYLE_DIM, name);
}

/* The first line shown: as before where the caret, and the words below its line, stay in sight. */
static int first_line(const struct code_pane *pane, int lines, int caret, int error, int rows)
{
    int top = pane->top < 0 ? 0 : pane->top, most = lines + (error >= 0) - rows;
    top = top > most ? larger(most, 0) : top;
    top = top > caret ? caret : top;
    while (top < caret && caret - top + 1 + (error >= top && error <= caret) > rows)
        top++;
    return top;
}

void pane_draw(struct grid *grid, const struct code_pane *pane, struct box box, const char *name, bool edited,
               uint32_t error_line, const char *error, struct drawn *drawn)
{
    size_t length = strlen(pane->text), cursor = pane->cursor < length ? pane->cursor : length;
    int lines = lines_of(pane), caret = lines_before(pane->text, cursor), wrong = (int)error_line - 1;
    int margin = code_margin(pane->text);
    uint8_t *styles = malloc(length + 1);
    if (!styles || box.columns < margin + 4 || box.rows < 1) {
        free(styles);
        return;
    }
    highlight_lua(styles, pane->text, length);
    if (box.rows >= TITLE_FROM) {
        draw_title(grid, pane, box, name, edited, caret + 1, lines);
        box.row++;
        box.rows--;
    }
    int top = first_line(pane, lines, caret, wrong, box.rows), right = box.column + box.columns, row = box.row;
    struct drawing d = {.grid = grid, .text = pane->text, .styles = styles};
    d.column = box.column + margin;
    d.width = box.columns - margin;
    int column = column_of(pane->text, line_at(pane->text, caret), cursor, grid->ascii);
    d.left = first_column(column, d.width);
    for (int number = top; number < lines && row < box.row + box.rows; number++) {
        char text[16];
        snprintf(text, sizeof text, "%d", number + 1);
        enum style style = number == wrong ? STYLE_WRONG : number == caret ? STYLE_STRONG : STYLE_DIM;
        grid_put(grid, d.column - 2 - grid_width(grid, text), row, right, style, text);
        if (number == wrong)
            grid_put(grid, box.column, row, right, STYLE_WRONG, ">");
        if (number == caret) {
            grid->cursor_column = d.column + column - d.left;
            grid->cursor_row = row;
        }
        draw_line(&d, line_at(pane->text, number), row++);
        if (number == wrong && *error && row < box.row + box.rows) {
            grid_put(grid, d.column, row, right, STYLE_WRONG, "✗");
            grid_put_fit(grid, d.column + 2, row++, right, STYLE_WRONG, error);
        }
    }
    drawn->pane_top = top;
    drawn->pane_lines = box.rows;
    free(styles);
}
