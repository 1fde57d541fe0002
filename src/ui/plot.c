#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/visible.h"
#include "ui/view.h"

enum { DOTS_ACROSS = 2, DOTS_DOWN = 4 /* of a braille cell */, DOT_PAUSE = 2 /* of a dotted curve */ };

struct canvas {
    int columns, rows;
    unsigned char *dots;   /* braille bits a cell */
    unsigned char *styles; /* of the curve in it */
    bool *taken;           /* a mark or label stands there */
};

static bool canvas_open(struct canvas *canvas, int columns, int rows)
{
    size_t count = (size_t)columns * (size_t)rows;
    *canvas = (struct canvas){.columns = columns, .rows = rows};
    canvas->dots = calloc(count, 1);
    canvas->styles = calloc(count, 1);
    canvas->taken = calloc(count, sizeof *canvas->taken);
    return canvas->dots && canvas->styles && canvas->taken;
}

static void canvas_close(struct canvas *canvas)
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

/* The height of a curve at a share of its width, in dots from the top; NaN where it is not drawn. */
static double curve_at(const struct part_plot *plot, const struct plot_line *line, double share, int dots)
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
    return (1 - height) * (dots - 1);
}

static void draw_curve(struct canvas *canvas, const struct part_plot *plot, const struct plot_line *line)
{
    int across = canvas->columns * DOTS_ACROSS, down = canvas->rows * DOTS_DOWN, run = 0;
    enum style style = line->dotted ? STYLE_BEFORE : STYLE_ACCENT;
    double last = NAN;
    for (int x = 0; x < across; x++) {
        double height = curve_at(plot, line, (double)x / (across > 1 ? across - 1 : 1), down);
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

static void show_canvas(struct grid *grid, const struct canvas *canvas, int column, int row)
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

/* ---- labels ---- */

static bool is_free(const struct canvas *canvas, int column, int row, int width, bool over_curves)
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

static void take(struct canvas *canvas, int column, int row, int width)
{
    for (int i = 0; i < width; i++) {
        if (column + i >= 0 && column + i < canvas->columns && row >= 0 && row < canvas->rows)
            canvas->taken[(size_t)row * (size_t)canvas->columns + (size_t)(column + i)] = true;
    }
}

struct spot {
    int column, row;
};

static bool label_mark(struct canvas *canvas, struct spot mark, int width, struct spot *out)
{
    const struct spot tries[] = {
        {mark.column + 2, mark.row},
        {mark.column - 1 - width, mark.row},
        {mark.column - width / 2, mark.row + 1},
        {mark.column - width / 2, mark.row - 1},
        {mark.column + 2, mark.row + 1},
        {mark.column - 1 - width, mark.row - 1},
    };
    enum { APART, CLOSE, OVER_CURVES };
    for (int manner = APART; manner <= OVER_CURVES; manner++) {
        for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
            int margin = manner == APART;
            if (is_free(canvas, tries[i].column - margin, tries[i].row, width + 2 * margin,
                        manner == OVER_CURVES)) {
                *out = tries[i];
                take(canvas, out->column - 2, out->row, width + 4);
                return true;
            }
        }
    }
    return false;
}

/* The cell of a mark; one whose height is not known stands on the axis. */
static bool mark_spot(const struct canvas *canvas, const struct part_plot *plot, const struct plot_mark *mark,
                      struct spot *out)
{
    double from = plot->x_log ? log(plot->x_from) : plot->x_from,
           to = plot->x_log ? log(plot->x_to) : plot->x_to;
    double x = ((plot->x_log ? log(mark->x) : mark->x) - from) / (to - from);
    double y = (mark->y - plot->y_from) / (plot->y_to - plot->y_from);
    if (!(x >= 0 && x <= 1))
        return false;
    *out = (struct spot){(int)lround(x * (canvas->columns - 1)), canvas->rows - 1};
    if (y >= 0 && y <= 1)
        out->row = (int)((1 - y) * (canvas->rows * DOTS_DOWN - 1)) / DOTS_DOWN;
    return true;
}

static void draw_marks(struct grid *grid, struct canvas *canvas, const struct part_plot *plot, int column,
                       int row)
{
    struct spot at, put;
    for (size_t i = 0; i < plot->mark_count; i++) {
        if (!mark_spot(canvas, plot, &plot->marks[i], &at))
            continue;
        grid_put(grid, column + at.column, row + at.row, -1, STYLE_CURSOR, "●");
        take(canvas, at.column, at.row, 1);
    }
    for (size_t i = 0; i < plot->mark_count; i++) {
        const char *label = plot->marks[i].label;
        if (*label && mark_spot(canvas, plot, &plot->marks[i], &at) &&
            label_mark(canvas, at, grid_width(grid, label), &put))
            grid_put(grid, column + put.column, row + put.row, -1, STYLE_CURSOR, label);
    }
}

/* One curve alone is named above the plot, several beside themselves. */
static bool is_single(const struct part_plot *plot)
{
    size_t curves = 0;
    for (size_t i = 0; i < plot->line_count; i++)
        curves += !plot->lines[i].dotted;
    return curves < 2;
}

static const char *line_label(const struct part_plot *plot, const struct plot_line *line)
{
    if (line->hidden)
        return "";
    if (line->dotted)
        return _("before");
    return is_single(plot) && strcmp(line->label, plot->y_label) == 0 ? "" : line->label;
}

static const char *plot_title(const struct part_plot *plot)
{
    for (size_t i = 0; i < plot->line_count; i++) {
        if (!is_single(plot) && strcmp(plot->lines[i].label, plot->y_label) == 0)
            return "";
    }
    return plot->y_label;
}

/* How far the nearest other curve is, in dots. */
static double clearance(const struct canvas *canvas, const struct part_plot *plot,
                        const struct plot_line *line, double share, double height)
{
    double least = INFINITY;
    for (size_t i = 0; i < plot->line_count; i++) {
        if (&plot->lines[i] == line)
            continue;
        double other = curve_at(plot, &plot->lines[i], share, canvas->rows * DOTS_DOWN);
        least = isnan(other) ? least : fmin(least, fabs(other - height));
    }
    return least;
}

/* A curve's name beside it, where nothing else stands and no other curve is `apart` dots near, as far right
 * as may be. */
static bool label_curve(struct canvas *canvas, const struct part_plot *plot, const struct plot_line *line,
                        int width, double apart, struct spot *out)
{
    int down = canvas->rows * DOTS_DOWN;
    static const int away[] = {-1, 1, -2, 2};
    for (int x = canvas->columns - 1; x >= 0; x--) {
        double share = (double)x / (canvas->columns > 1 ? canvas->columns - 1 : 1);
        double height = curve_at(plot, line, share, down);
        if (isnan(height) || clearance(canvas, plot, line, share, height) < apart)
            continue;
        for (size_t i = 0; i < sizeof away / sizeof *away; i++) {
            struct spot spot = {x - width, (int)height / DOTS_DOWN + away[i]};
            if (!is_free(canvas, spot.column - 1, spot.row, width + 2, false))
                continue;
            *out = spot;
            take(canvas, spot.column - 2, spot.row, width + 4);
            return true;
        }
    }
    return false;
}

static void draw_labels(struct grid *grid, struct canvas *canvas, const struct part_plot *plot, int column,
                        int row)
{
    for (size_t i = 0; i < plot->line_count; i++) {
        const struct plot_line *line = &plot->lines[i];
        const char *label = line_label(plot, line);
        struct spot spot;
        int width = grid_width(grid, label);
        if (!*label)
            continue;
        bool placed = false;
        for (double apart = 2 * DOTS_DOWN; apart >= 0 && !placed; apart -= 2)
            placed = label_curve(canvas, plot, line, width, apart, &spot);
        if (placed)
            grid_put(grid, column + spot.column, row + spot.row, -1,
                     line->dotted ? STYLE_BEFORE : STYLE_ACCENT, label);
    }
}

/* ---- axes ---- */

static void draw_axes(struct grid *grid, const struct part_plot *plot, struct box box, int axis, int top,
                      int bottom)
{
    int right = box.column + box.columns;
    for (int row = top; row < bottom; row++)
        grid_put(grid, axis, row, right, STYLE_RULE, row == top ? "┤" : "│");
    for (int column = axis; column < right; column++)
        grid_put(grid, column, bottom, right, STYLE_RULE, column == axis ? "┼" : "─");
    grid_put_fit(grid, axis - 1 - grid_width(grid, plot->y_to_text), top, axis, STYLE_DIM, plot->y_to_text);
    grid_put_fit(grid, axis - 1 - grid_width(grid, plot->y_from_text), bottom, axis, STYLE_DIM,
                 plot->y_from_text);
    int end = grid_put_fit(grid, axis, bottom + 1, right, STYLE_DIM, plot->x_from_text);
    int start = right - grid_width(grid, plot->x_to_text);
    if (start > end)
        grid_put(grid, start, bottom + 1, right, STYLE_DIM, plot->x_to_text);
    int middle = axis + (right - axis - grid_width(grid, plot->x_label)) / 2;
    grid_put_fit(grid, middle > end + 1 ? middle : end + 2, bottom + 1, start - 1, STYLE_DIM, plot->x_label);
}

static const char *hidden_label(const struct part_plot *plot)
{
    for (size_t i = 0; i < plot->line_count; i++) {
        if (plot->lines[i].hidden)
            return plot->lines[i].label;
    }
    return NULL;
}

struct extent plot_extent(void)
{
    return (struct extent){.least = 5, .all = 5, .want = 9, .most = 16};
}

void plot_draw(struct grid *grid, const struct part_plot *plot, struct box box)
{
    int tick = grid_width(grid, plot->y_to_text), other = grid_width(grid, plot->y_from_text);
    int axis = box.column + (tick > other ? tick : other) + 1, right = box.column + box.columns;
    bool titled = box.rows > 5;
    int top = box.row + titled, bottom = box.row + box.rows - 2;
    struct canvas canvas;
    if (right - axis < 6 || bottom - top < 1 || !(plot->y_to > plot->y_from) || !(plot->x_to > plot->x_from))
        return;
    if (canvas_open(&canvas, right - axis - 1, bottom - top)) {
        for (int dotted = 1; dotted >= 0; dotted--) {
            for (size_t i = 0; i < plot->line_count; i++) {
                if (plot->lines[i].dotted == dotted)
                    draw_curve(&canvas, plot, &plot->lines[i]);
            }
        }
        show_canvas(grid, &canvas, axis + 1, top);
        draw_axes(grid, plot, box, axis, top, bottom);
        draw_marks(grid, &canvas, plot, axis + 1, top);
        int end = axis + 2;
        if (titled)
            end = grid_put_fit(grid, box.column, box.row, right, STYLE_DIM, plot_title(plot));
        else if (is_free(&canvas, 1, 0, grid_width(grid, plot_title(plot)), false))
            end = grid_put_fit(grid, end, top, right, STYLE_DIM, plot_title(plot));
        take(&canvas, 0, 0, titled ? 0 : end - axis);
        draw_labels(grid, &canvas, plot, axis + 1, top);
        const char *hidden = hidden_label(plot);
        if (hidden) {
            end = grid_put_fit(grid, end + 2, titled ? box.row : top, right, STYLE_HIDDEN, "?");
            grid_put_fit(grid, end + 1, titled ? box.row : top, right, STYLE_DIM, hidden);
        }
    }
    canvas_close(&canvas);
}
