/* The dots of a plot's curves, and which cells of it are taken by something else. */
#ifndef UI_CANVAS_H
#define UI_CANVAS_H

#include <stdbool.h>

#include "scene/scene.h"
#include "ui/grid.h"

enum { DOTS_ACROSS = 2, DOTS_DOWN = 4 /* of a braille cell */ };

struct canvas {
    int columns, rows;
    unsigned char *dots;   /* braille bits a cell */
    unsigned char *styles; /* of the curve in it */
    bool *taken;           /* a mark, a shape or a label stands there */
};

bool canvas_open(struct canvas *canvas, int columns, int rows); /* false: out of memory; to be closed all the same */
void canvas_close(struct canvas *canvas);
void canvas_draw(struct canvas *canvas, const struct part_plot *plot, const struct plot_line *line);
void canvas_show(struct grid *grid, const struct canvas *canvas, int column, int row);
bool canvas_is_free(const struct canvas *canvas, int column, int row, int width, bool over_curves);
void canvas_take(struct canvas *canvas, int column, int row, int width);
/* Of a curve at a share of its width, in dots from the top; NaN where it is not drawn. */
double canvas_height(const struct canvas *canvas, const struct part_plot *plot, const struct plot_line *line, double share);
/* How far the nearest other curve is from a height, in dots. */
double canvas_clearance(const struct canvas *canvas, const struct part_plot *plot, const struct plot_line *line, double share,
                        double height);

#endif
