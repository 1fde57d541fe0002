/* The names of several curves in one plot: each curve bears a shape, which stands again before its name. */
#ifndef UI_PLOT_NAMES_H
#define UI_PLOT_NAMES_H

#include <stdbool.h>

#include "ui/canvas.h"

enum {
    NAMES_MOST = 16,
    NAME_GAP = 3, /* columns from a curve's end, or the name before, to a name */
    AXIS_ROWS = 2 /* below a canvas */
};

struct name {
    const struct plot_line *line;
    const char *shape;
    int row;          /* of the canvas; -1: no point of the curve is in it */
    double end, mean; /* heights, in dots from the top */
};

struct names {
    struct name item[NAMES_MOST];
    int count, widest;
    const char *hidden; /* the label of a curve that is not shown; or NULL */
    bool before;        /* some curves are dotted */
};

bool plot_is_single(const struct part_plot *plot); /* its one curve is named above it, without a shape */
void names_read(struct names *names, const struct grid *grid, const struct part_plot *plot); /* a single curve only where it is hidden */
/* Whether they can stand in a column at the right, down to beside the axis if need be, and leave enough to the curves. */
bool names_fit_ends(const struct names *names, int columns, int rows);
void names_measure(struct names *names, const struct canvas *canvas, const struct part_plot *plot);
void names_draw_shapes(struct grid *grid, const struct names *names, struct canvas *canvas, const struct part_plot *plot,
                       int column, int row);
/* `rows`: of the canvas, whose first row is `row`. */
void names_draw_at_ends(struct grid *grid, struct names *names, int rows, int column, int row, int right);
void names_draw_above(struct grid *grid, const struct names *names, int column, int row, int right);

#endif
