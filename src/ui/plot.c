#include <math.h>
#include <string.h>

#include "base/language.h"
#include "ui/canvas.h"
#include "ui/plot_names.h"
#include "ui/view.h"

enum { TITLED_ROWS = 5 /* from more rows on, one of them is the title's */ };

/* ---- labels ---- */

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
            if (canvas_is_free(canvas, tries[i].column - margin, tries[i].row, width + 2 * margin,
                        manner == OVER_CURVES)) {
                *out = tries[i];
                canvas_take(canvas, out->column - 2, out->row, width + 4);
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
        canvas_take(canvas, at.column, at.row, 1);
    }
    for (size_t i = 0; i < plot->mark_count; i++) {
        const char *label = plot->marks[i].label;
        if (*label && mark_spot(canvas, plot, &plot->marks[i], &at) &&
            label_mark(canvas, at, grid_width(grid, label), &put))
            grid_put(grid, column + put.column, row + put.row, -1, STYLE_CURSOR, label);
    }
}

/* The name of a curve alone, unless it is hidden. */
static const char *plot_title(const struct part_plot *plot)
{
    for (size_t i = 0; i < plot->line_count; i++) {
        if ((plot->lines[i].hidden || !plot_is_single(plot)) && strcmp(plot->lines[i].label, plot->y_label) == 0)
            return "";
    }
    return plot->y_label;
}

/* A curve's name beside it, where nothing else stands and no other curve is `apart` dots near, as far right
 * as may be. */
static bool label_curve(struct canvas *canvas, const struct part_plot *plot, const struct plot_line *line,
                        int width, double apart, struct spot *out)
{
    static const int away[] = {-1, 1};
    for (int x = canvas->columns - 1; x >= 0; x--) {
        double share = (double)x / (canvas->columns > 1 ? canvas->columns - 1 : 1);
        double height = canvas_height(canvas, plot, line, share);
        if (isnan(height) || canvas_clearance(canvas, plot, line, share, height) < apart)
            continue;
        for (size_t i = 0; i < sizeof away / sizeof *away; i++) {
            struct spot spot = {x - width, (int)height / DOTS_DOWN + away[i]};
            if (!canvas_is_free(canvas, spot.column - 1, spot.row, width + 2, false))
                continue;
            *out = spot;
            canvas_take(canvas, spot.column - 2, spot.row, width + 4);
            return true;
        }
    }
    return false;
}

/* What a curve alone is, unless the title says it, and which is the one of before. */
static void draw_labels(struct grid *grid, struct canvas *canvas, const struct part_plot *plot, int column,
                        int row)
{
    for (size_t i = 0; i < plot->line_count && plot_is_single(plot); i++) {
        const struct plot_line *line = &plot->lines[i];
        const char *label = line->dotted ? _("before") : line->label;
        if (line->hidden || (!line->dotted && strcmp(label, plot->y_label) == 0))
            continue;
        struct spot spot;
        bool placed = false;
        for (double apart = 2 * DOTS_DOWN; apart >= 0 && !placed; apart -= 2)
            placed = label_curve(canvas, plot, line, grid_width(grid, label), apart, &spot);
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

struct extent plot_extent(void)
{
    return (struct extent){.least = 5, .all = 5, .want = 9, .most = 16};
}

/* Where the parts of a plot stand. */
struct layout {
    struct box box;  /* with the axes, without names at the ends of curves */
    int axis, right; /* columns; `right` is the one after everything */
    int top, bottom; /* rows, `bottom` that of the axis */
    bool titled, names_above, names_at_ends;
};

static struct layout lay_out(const struct grid *grid, const struct part_plot *plot, const struct names *names, struct box box)
{
    struct layout layout = {.box = box, .right = box.column + box.columns};
    layout.axis = box.column + larger(grid_width(grid, plot->y_to_text), grid_width(grid, plot->y_from_text)) + 1;
    layout.titled = box.rows > TITLED_ROWS && *plot_title(plot);
    layout.names_at_ends = names_fit_ends(names, layout.right - layout.axis - 1, box.rows - AXIS_ROWS - layout.titled);
    layout.names_above = !layout.names_at_ends && (names->count || names->hidden) && box.rows >= AXIS_ROWS + 2;
    if (layout.names_at_ends)
        layout.box.columns -= names->widest + NAME_GAP;
    layout.titled |= layout.names_above;
    layout.top = box.row + layout.titled;
    layout.bottom = box.row + box.rows - AXIS_ROWS;
    return layout;
}

static void draw_title(struct grid *grid, struct canvas *canvas, const char *title, const struct layout *layout,
                       const struct names *names)
{
    int row = layout->box.row, end = layout->axis + 2;
    if (layout->titled)
        end = grid_put_fit(grid, layout->box.column, row, layout->right, STYLE_DIM, title);
    else if (canvas_is_free(canvas, 1, 0, grid_width(grid, title), false))
        canvas_take(canvas, 0, 0, grid_put_fit(grid, end, row, layout->right, STYLE_DIM, title) - layout->axis);
    if (layout->names_above)
        names_draw_above(grid, names, *title ? end + NAME_GAP : layout->box.column, row, layout->right);
}

void plot_draw(struct grid *grid, const struct part_plot *plot, struct box box)
{
    struct names names;
    struct canvas canvas;
    names_read(&names, grid, plot);
    struct layout layout = lay_out(grid, plot, &names, box);
    int left = layout.axis + 1, columns = layout.box.column + layout.box.columns - left, rows = layout.bottom - layout.top;
    if (columns < 5 || rows < 1 || !(plot->y_to > plot->y_from) || !(plot->x_to > plot->x_from))
        return;
    if (canvas_open(&canvas, columns, rows)) {
        for (int dotted = 1; dotted >= 0; dotted--) {
            for (size_t i = 0; i < plot->line_count; i++) {
                if (plot->lines[i].dotted == dotted)
                    canvas_draw(&canvas, plot, &plot->lines[i]);
            }
        }
        canvas_show(grid, &canvas, left, layout.top);
        draw_axes(grid, plot, layout.box, layout.axis, layout.top, layout.bottom);
        draw_marks(grid, &canvas, plot, left, layout.top);
        names_measure(&names, &canvas, plot);
        draw_title(grid, &canvas, plot_title(plot), &layout, &names);
        if (layout.names_at_ends || layout.names_above)
            names_draw_shapes(grid, &names, &canvas, plot, left, layout.top);
        if (layout.names_at_ends)
            names_draw_at_ends(grid, &names, rows, layout.right - names.widest, layout.top, layout.right);
        draw_labels(grid, &canvas, plot, left, layout.top);
    }
    canvas_close(&canvas);
}
