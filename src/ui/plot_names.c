#include "ui/plot_names.h"

#include <math.h>
#include <stdlib.h>

#include "base/language.h"
#include "ui/view.h"

enum {
    SHAPE_APART = 20, /* columns from a curve's shape to its next */
    LOW_ROWS = 6,     /* with fewer, names above would take too much of the height */
    NARROW = 12,      /* columns of a canvas that names may leave then */
    SHAPE_WIDTH = 2   /* with the blank after it */
};

bool plot_is_single(const struct part_plot *plot)
{
    size_t curves = 0;
    for (size_t i = 0; i < plot->line_count; i++)
        curves += !plot->lines[i].dotted;
    return curves < 2;
}

static const char *shape_of(size_t curve, bool ascii)
{
    static const char *const shapes[NAMES_MOST] = {"○", "□", "△", "◇", "▽", "☆", "a", "b",
                                                   "c", "d", "e", "f", "g", "h", "i", "j"};
    static const char *const ascii_shapes[NAMES_MOST] = {"x", "#", "*", "%", "@", "&", "a", "b",
                                                         "c", "d", "e", "f", "g", "h", "i", "j"};
    return (ascii ? ascii_shapes : shapes)[curve % NAMES_MOST];
}

/* Hidden curves keep their shape and their width, and there is room for "before", so that nothing moves when these are shown. */
void names_read(struct names *names, const struct grid *grid, const struct part_plot *plot)
{
    size_t curve = 0;
    *names = (struct names){.widest = SHAPE_WIDTH + grid_width(grid, _("before"))};
    for (size_t i = 0; i < plot->line_count && curve < NAMES_MOST; i++) {
        const struct plot_line *line = &plot->lines[i];
        names->before |= line->dotted;
        if (line->dotted)
            continue;
        struct name name = {.line = line, .shape = shape_of(curve++, grid->ascii)};
        names->widest = larger(names->widest, SHAPE_WIDTH + grid_width(grid, line->label));
        if (line->hidden)
            names->hidden = names->hidden ? names->hidden : line->label;
        else if (!plot_is_single(plot))
            names->item[names->count++] = name;
    }
}

static void measure_name(struct name *name, const struct canvas *canvas, const struct part_plot *plot)
{
    int points = 0;
    name->row = -1;
    name->mean = 0;
    for (int x = 0; x < canvas->columns; x++) {
        double height = canvas_height(canvas, plot, name->line, (double)x / larger(canvas->columns - 1, 1));
        if (isnan(height))
            continue;
        name->end = height;
        name->mean += height;
        name->row = (int)lround(height) / DOTS_DOWN;
        points++;
    }
    name->mean /= larger(points, 1);
}

/* A curve of which nothing is seen has no name. */
void names_measure(struct names *names, const struct canvas *canvas, const struct part_plot *plot)
{
    int kept = 0;
    for (int i = 0; i < names->count; i++) {
        measure_name(&names->item[i], canvas, plot);
        if (names->item[i].row >= 0)
            names->item[kept++] = names->item[i];
    }
    names->count = kept;
}

static int from_above(const void *left, const void *right)
{
    const struct name *a = left, *b = right;
    long end = lround(a->end) - lround(b->end);
    return end ? (end > 0) - (end < 0) : (a->mean > b->mean) - (a->mean < b->mean);
}

/* A name stands in the row where its curve ends; those of the same row are pushed apart, in the order of the curves. */
static void place_names(struct names *names, int rows)
{
    qsort(names->item, (size_t)names->count, sizeof *names->item, from_above);
    for (int i = 1; i < names->count; i++)
        names->item[i].row = larger(names->item[i].row, names->item[i - 1].row + 1);
    for (int i = names->count - 1, last = larger(rows, names->count) - 1; i >= 0; i--, last--) {
        last = names->item[i].row < last ? names->item[i].row : last;
        names->item[i].row = last;
    }
}

/* The column of a canvas, among those from `from` on, where a curve is best told from the others, near `wish`. */
static int shape_column(const struct canvas *canvas, const struct part_plot *plot, const struct plot_line *line, int from,
                        int to, double wish, int *row)
{
    enum { DOT_WORTH = 4 /* columns */ };
    int best = -1;
    double most = -INFINITY;
    for (int x = from; x < to; x++) {
        double share = (double)x / larger(canvas->columns - 1, 1), height = canvas_height(canvas, plot, line, share);
        int at = isnan(height) ? 0 : (int)lround(height) / DOTS_DOWN;
        if (isnan(height) || !canvas_is_free(canvas, x - 1, at, 3, true))
            continue;
        double worth = DOT_WORTH * fmin(canvas_clearance(canvas, plot, line, share, height), 2 * DOTS_DOWN) - fabs(x - wish);
        if (worth > most) {
            most = worth;
            best = x;
            *row = at;
        }
    }
    return best;
}

/* The shapes of different curves stand in different columns, so that curves that run together show all of theirs. */
void names_draw_shapes(struct grid *grid, const struct names *names, struct canvas *canvas, const struct part_plot *plot,
                       int column, int row)
{
    int stretches = larger(canvas->columns / SHAPE_APART, 1);
    for (int i = 0; i < names->count; i++) {
        for (int n = 0; n < stretches; n++) {
            int from = canvas->columns * n / stretches, to = canvas->columns * (n + 1) / stretches, y = 0;
            double wish = from + (double)(to - from) * (i + 1) / (names->count + 1);
            int x = shape_column(canvas, plot, names->item[i].line, from, to, wish, &y);
            if (x < 0)
                continue;
            grid_put(grid, column + x, row + y, -1, STYLE_ACCENT, names->item[i].shape);
            canvas_take(canvas, x, y, 1);
        }
    }
}

static int draw_name(struct grid *grid, const struct name *name, int column, int row, int right)
{
    grid_put(grid, column, row, right, STYLE_ACCENT, name->shape);
    return grid_put_fit(grid, column + SHAPE_WIDTH, row, right, STYLE_ACCENT, name->line->label);
}

static void draw_before(struct grid *grid, int column, int row, int right)
{
    grid_put(grid, column, row, right, STYLE_BEFORE, grid->ascii ? "." : "⠢");
    grid_put_fit(grid, column + SHAPE_WIDTH, row, right, STYLE_BEFORE, _("before"));
}

static int draw_hidden(struct grid *grid, const char *label, int column, int row, int right)
{
    grid_put(grid, column, row, right, STYLE_HIDDEN, "?");
    return grid_put_fit(grid, column + SHAPE_WIDTH, row, right, STYLE_DIM, label);
}

bool names_fit_ends(const struct names *names, int columns, int rows)
{
    int left = columns - names->widest - NAME_GAP;
    return names->count > 0 && names->count + (names->hidden != NULL) <= rows + AXIS_ROWS &&
           left >= (rows < LOW_ROWS ? NARROW : 2 * columns / 3);
}

/* What does not end anywhere stands below the names, beside the axis. */
void names_draw_at_ends(struct grid *grid, struct names *names, int rows, int column, int row, int right)
{
    place_names(names, rows);
    int last = -1;
    for (int i = 0; i < names->count; i++) {
        last = names->item[i].row;
        draw_name(grid, &names->item[i], column, row + last, right);
    }
    int below = rows + AXIS_ROWS - 1;
    if (names->hidden && below > last)
        draw_hidden(grid, names->hidden, column, row + below--, right);
    if (names->before && below > last)
        draw_before(grid, column, row + below, right);
}

void names_draw_above(struct grid *grid, const struct names *names, int column, int row, int right)
{
    int next = column;
    for (int i = 0; i < names->count; i++)
        next = draw_name(grid, &names->item[i], next, row, right) + NAME_GAP;
    if (names->hidden && next < right)
        next = draw_hidden(grid, names->hidden, next, row, right) + NAME_GAP;
    if (names->before && next + SHAPE_WIDTH + grid_width(grid, _("before")) <= right)
        draw_before(grid, next, row, right);
}
