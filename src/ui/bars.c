#include <math.h>
#include <stdio.h>

#include "base/language.h"
#include "ui/view.h"

enum { MARK_COLUMNS = 2, SERIES_MAX = 8, HALF_MOST = 12, HALF_LEAST = 2, GAP = 3 };

static int row_count(const struct part_bars *bars)
{
    return bars->labels.count < 1000 ? (int)bars->labels.count : 1000;
}

static bool has_head(const struct part_bars *bars)
{
    bool words = *bars->title;
    for (size_t s = 0; s < bars->series_count; s++)
        words |= *bars->series[s].label != '\0';
    return words;
}

/* Numbers of one series, below each other at the point. */
struct numbers {
    int whole, rest;
};

static struct numbers measure(const struct grid *grid, const struct part_bars *bars, size_t s)
{
    struct numbers numbers = {0, 0};
    for (size_t r = 0; r < bars->labels.count; r++) {
        const struct cell *cell = &bars->series[s].cells[r];
        int point = cell_point(grid, cell);
        numbers.whole = larger(numbers.whole, point);
        numbers.rest = larger(numbers.rest, grid_width(grid, cell->text) - point);
    }
    return numbers;
}

/* A bar of halves of a cell from the zero line at `zero`, at most `half` cells long. */
static void draw_bar(struct grid *grid, int zero, int row, int half, double share)
{
    grid_put(grid, zero, row, -1, STYLE_RULE, "│");
    if (isnan(share) || share == 0)
        return;
    int halves = (int)lround(fmin(fabs(share), 1) * half * 2), side = share > 0 ? 1 : -1;
    enum style style = share > 0 ? STYLE_POSITIVE : STYLE_NEGATIVE;
    for (int i = 0; i < halves / 2; i++)
        grid_put(grid, zero + side * (i + 1), row, -1, style, "█");
    if (halves % 2)
        grid_put(grid, zero + side * (halves / 2 + 1), row, -1, style, share > 0 ? "▌" : "▐");
    else if (!halves)
        grid_put(grid, zero + side, row, -1, style, share > 0 ? "▏" : "▕");
    if (fabs(share) > 1.0001)
        grid_put(grid, zero + side * half, row, -1, style, share > 0 ? "›" : "‹");
}

/* Where the series stand: all get the same bars. */
struct layout {
    int start[SERIES_MAX], half[SERIES_MAX];
    struct numbers numbers[SERIES_MAX];
    int label;
    size_t shown;
};

static int numbers_end(const struct layout *layout, size_t s)
{
    return layout->start[s] + 2 * layout->half[s] + 2 + layout->numbers[s].whole + layout->numbers[s].rest;
}

static void place(const struct grid *grid, const struct part_bars *bars, struct box box,
                  struct layout *layout)
{
    size_t count = bars->series_count < SERIES_MAX ? bars->series_count : SERIES_MAX;
    layout->label = MARK_COLUMNS;
    for (size_t r = 0; r < bars->labels.count; r++)
        layout->label = larger(layout->label, grid_width(grid, bars->labels.item[r]) + MARK_COLUMNS);
    layout->label = layout->label > box.columns / 3 ? box.columns / 3 : layout->label;
    int text = 0;
    for (size_t s = 0; s < count; s++) {
        layout->numbers[s] = measure(grid, bars, s);
        text += layout->numbers[s].whole + layout->numbers[s].rest;
    }
    int half = 0;
    for (; count > 0; count--) {
        int room = box.columns - layout->label - text - (int)count * (GAP + 2) - 1;
        half = room / (2 * (int)count);
        if (half >= HALF_LEAST || count == 1)
            break;
        text -= layout->numbers[count - 1].whole + layout->numbers[count - 1].rest;
    }
    half = half > HALF_MOST ? HALF_MOST : half < 0 ? 0 : half;
    int column = box.column + layout->label;
    for (size_t s = 0; s < count; s++) {
        layout->start[s] = column + (s ? GAP : 1);
        layout->half[s] = half;
        column = numbers_end(layout, s);
    }
    layout->shown = count;
}

/* The title stands before the names of the series where it can. */
static bool title_apart(const struct grid *grid, const struct part_bars *bars, struct box box,
                        const struct layout *layout)
{
    if (!*bars->title || !layout->shown || !*bars->series[0].label)
        return false;
    int label = numbers_end(layout, 0) - grid_width(grid, bars->series[0].label);
    return box.column + MARK_COLUMNS + grid_width(grid, bars->title) + 1 > label;
}

struct extent bars_extent(const struct grid *grid, const struct part_bars *bars, int columns)
{
    struct layout layout = {0};
    struct box box = {0, 0, columns, 1};
    place(grid, bars, box, &layout);
    int whole = row_count(bars) + has_head(bars) + title_apart(grid, bars, box, &layout),
        least = whole < 4 ? whole : 4;
    return (struct extent){.least = least, .all = least, .want = whole, .most = whole};
}

static int draw_head(struct grid *grid, const struct part_bars *bars, struct box box,
                     const struct layout *layout)
{
    int right = box.column + box.columns, until = right, row = box.row;
    bool apart = title_apart(grid, bars, box, layout) && box.rows > 2 + row_count(bars) - 1;
    if (apart)
        grid_put_fit(grid, box.column + MARK_COLUMNS, row++, right, STYLE_DIM, bars->title);
    for (size_t s = layout->shown; s-- > 0;) {
        int width = grid_width(grid, bars->series[s].label), end = numbers_end(layout, s);
        int start = end - width < layout->start[s] ? layout->start[s] : end - width;
        grid_put_fit(grid, start, row, until, STYLE_DIM, bars->series[s].label);
        until = width ? start - 1 : until;
    }
    if (!apart)
        grid_put_fit(grid, box.column + MARK_COLUMNS, row, until, STYLE_DIM, bars->title);
    if (layout->shown < bars->series_count)
        grid_put(grid, right - 1, row, right, STYLE_DIM, "›");
    return row + 1;
}

void bars_draw(struct grid *grid, const struct part_bars *bars, struct box box, bool focused)
{
    if (box.columns < 8 || box.rows < 1)
        return;
    struct layout layout = {0};
    place(grid, bars, box, &layout);
    int row = box.row, right = box.column + box.columns, first, shown;
    if (has_head(bars) && box.rows > 1)
        row = draw_head(grid, bars, box, &layout);
    cell_window(row_count(bars), box.row + box.rows - row, bars->cursor_row, &first, &shown);
    for (int r = first; r < first + shown; r++, row++) {
        bool here = r == bars->cursor_row;
        if (here)
            grid_put(grid, box.column, row, right, STYLE_CURSOR, "▸");
        grid_put_fit(grid, box.column + MARK_COLUMNS, row, box.column + layout.label,
                     here ? STYLE_CURSOR : STYLE_PLAIN, bars->labels.item[r]);
        for (size_t s = 0; s < layout.shown; s++) {
            const struct bars_series *series = &bars->series[s];
            const struct cell *cell = &series->cells[r];
            int half = layout.half[s], start = layout.start[s];
            double value = cell->flags & CELL_HIDDEN ? NAN : cell->value;
            if (half)
                draw_bar(grid, start + half, row, half, value / (series->reach > 0 ? series->reach : 1));
            int at = start + 2 * half + 2 + layout.numbers[s].whole - cell_point(grid, cell);
            enum style style = cell_style(cell, focused && here);
            grid_put_fit(grid, at, row, right, style, cell->text);
            bool bracket = focused && cell_pointed(cell, 0);
            if (bracket || (cell->flags & CELL_CHANGED)) {
                grid_put(grid, at - 1, row, right, style, bracket ? "[" : "*");
                grid_put(grid, at + grid_width(grid, cell->text), row, right, style, bracket ? "]" : "*");
            }
        }
    }
    if (shown < row_count(bars) && row < box.row + box.rows) {
        char mark[48];
        snprintf(mark, sizeof mark, _("… %d more"), row_count(bars) - shown);
        grid_put_fit(grid, box.column + MARK_COLUMNS, row, right, STYLE_DIM, mark);
    }
}
