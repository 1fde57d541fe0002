#include "ui/canvas.h"

#include <math.h>
#include <stdlib.h>

#include "base/visible.h"

enum { DOT_PAUSE = 2 /* of a dotted curve */ };

bool canvas_open(struct canvas *canvas, int columns, int rows)
{
    size_t count = (size_t)columns * (size_t)rows;
    *canvas = (struct canvas){.columns = columns, .rows = rows};
    canvas->dots = calloc(count, 1);
    canvas->styles = calloc(count, 1);
    canvas->taken = calloc(count, sizeof *canvas->taken);
    return canvas->dots && canvas->styles && canvas->taken;
}

void canvas_close(struct canvas *canvas)
{
    free(canvas->dots);
    free(canvas->styles);
    free(canvas->taken);
}

static void set_dot(struct canvas *canvas, int x, int y, enum style style)
{
    static const unsigned char bit[DOTS_DOWN][DOTS_ACROSS] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    int column = x / DOTS_ACROSS, row = y / DOTS_DOWN;
    if (x < 0 || y < 0 || column >= canvas->columns || row >= canvas->rows)
        return;
    size_t at = (size_t)row * (size_t)canvas->columns + (size_t)column;
    canvas->dots[at] |= bit[y % DOTS_DOWN][x % DOTS_ACROSS];
    canvas->styles[at] = (unsigned char)style;
}

double canvas_height(const struct canvas *canvas, const struct part_plot *plot, const struct plot_line *line, double share)
{
    if (!line->count || !line->y)
        return NAN;
    double at = share * (double)(line->count - 1);
    size_t left = (size_t)at;
    double y = line->y[left];
    if (left + 1 < line->count && at > (double)left)
        y += (line->y[left + 1] - y) * (at - (double)left);
    double height = (y - plot->y_from) / (plot->y_to - plot->y_from);
    if (!(height >= -0.001 && height <= 1.001))
        return NAN;
    return (1 - height) * (canvas->rows * DOTS_DOWN - 1);
}

void canvas_draw(struct canvas *canvas, const struct part_plot *plot, const struct plot_line *line)
{
    int across = canvas->columns * DOTS_ACROSS, run = 0;
    enum style style = line->dotted ? STYLE_BEFORE : STYLE_ACCENT;
    double last = NAN;
    for (int x = 0; x < across; x++) {
        double height = canvas_height(canvas, plot, line, (double)x / (across > 1 ? across - 1 : 1));
        if (!isnan(height)) {
            int to = (int)lround(height), from = isnan(last) ? to : (int)lround(last);
            int step = to > from ? 1 : -1;
            if (from != to)
                from += step;
            for (int y = from;; y += step) {
                if (!line->dotted || run++ % DOT_PAUSE == 0)
                    set_dot(canvas, x, y, style);
                if (y == to)
                    break;
            }
        }
        last = height;
    }
}

/* What ASCII shows of the dots in a cell: a stroke at their height. */
static const char *stroke(unsigned char dots, enum style style)
{
    if (style == STYLE_BEFORE)
        return ".";
    bool high = dots & 0x09, low = dots & 0xC0, middle = dots & 0x36;
    if (high && low)
        return "|";
    if (high && !middle)
        return "'";
    return low && !middle ? "_" : "-";
}

void canvas_show(struct grid *grid, const struct canvas *canvas, int column, int row)
{
    for (int y = 0; y < canvas->rows; y++) {
        for (int x = 0; x < canvas->columns; x++) {
            size_t at = (size_t)y * (size_t)canvas->columns + (size_t)x;
            if (!canvas->dots[at])
                continue;
            char braille[5] = "";
            utf8_encode(braille, 0x2800U + canvas->dots[at]);
            grid_put(grid, column + x, row + y, -1, canvas->styles[at],
                     grid->ascii ? stroke(canvas->dots[at], canvas->styles[at]) : braille);
        }
    }
}

bool canvas_is_free(const struct canvas *canvas, int column, int row, int width, bool over_curves)
{
    if (column < 0 || row < 0 || row >= canvas->rows || column + width > canvas->columns)
        return false;
    for (int i = 0; i < width; i++) {
        size_t at = (size_t)row * (size_t)canvas->columns + (size_t)(column + i);
        if (canvas->taken[at] || (!over_curves && canvas->dots[at]))
            return false;
    }
    return true;
}

void canvas_take(struct canvas *canvas, int column, int row, int width)
{
    for (int i = 0; i < width; i++) {
        if (column + i >= 0 && column + i < canvas->columns && row >= 0 && row < canvas->rows)
            canvas->taken[(size_t)row * (size_t)canvas->columns + (size_t)(column + i)] = true;
    }
}

double canvas_clearance(const struct canvas *canvas, const struct part_plot *plot,
                        const struct plot_line *line, double share, double height)
{
    double least = INFINITY;
    for (size_t i = 0; i < plot->line_count; i++) {
        if (&plot->lines[i] == line)
            continue;
        double other = canvas_height(canvas, plot, &plot->lines[i], share);
        least = isnan(other) ? least : fmin(least, fabs(other - height));
    }
    return least;
}
