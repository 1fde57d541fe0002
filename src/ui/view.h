/* Views in a box of the grid: how much room they want, and their drawing. */
#ifndef UI_VIEW_H
#define UI_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/scene.h"
#include "ui/grid.h"

struct box {
    int column, row, columns, rows;
};

static inline int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Rows: fewer than `least` and it is left out; from `all` on none of its parts is left out; `want` shows it
   whole; more than `most` is of no use. */
struct extent {
    int least, all, want, most;
};

struct extent view_extent(const struct grid *grid, const struct view *view, int columns);
int view_fill(const struct grid *grid, const struct view *view, int columns,
              int rows); /* how many of `rows` it would take up */
/* Draws what fits: parts are left out from the end; the first keeps its height longest. Returns how many were
   left out. `focused`: the learner moves the cursor in it. */
int view_draw(struct grid *grid, const struct view *view, struct box box, bool focused);

/* The first view of which something stands where nobody can get to, so few are the columns; NULL: none. */
const struct view *view_cut(const struct grid *grid, const struct view *view, int columns);
int view_layers(const struct grid *grid, const struct view *view, int columns); /* how many layers of its stacks are shown */
uint32_t view_stages(const struct view *view); /* of the view with stages, however deep; 0: none, or no view */

/* The kinds of part, a file each. */
struct extent table_extent(const struct part_table *table);
int table_columns(const struct grid *grid, const struct part_table *table); /* its natural width */
bool table_reaches(const struct grid *grid, const struct part_table *table, int columns); /* all its columns fit, or the cursor leads to them */
void table_draw(struct grid *grid, const struct part_table *table, struct box box, bool focused);
struct extent bars_extent(const struct grid *grid, const struct part_bars *bars, int columns);
void bars_draw(struct grid *grid, const struct part_bars *bars, struct box box, bool focused);
struct extent plot_extent(void);
void plot_draw(struct grid *grid, const struct part_plot *plot, struct box box);
struct extent map_extent(const struct grid *grid, const struct part_map *map, int columns);
int map_columns(const struct grid *grid, const struct part_map *map);
bool map_reaches(const struct grid *grid, const struct part_map *map, int columns);
bool map_fits(const struct grid *grid, const struct part_map *map, int columns); /* no column is left out */
void map_draw(struct grid *grid, const struct part_map *map, struct box box);
struct extent stack_extent(const struct part_stack *stack);
int stack_columns(const struct grid *grid, const struct part_stack *stack);
int stack_shown(const struct grid *grid, const struct part_stack *stack, int columns); /* how many of its layers, the final norm among them */
bool stack_fits(const struct grid *grid, const struct part_stack *stack, int columns); /* no layer is left out */
void stack_draw(struct grid *grid, const struct part_stack *stack, struct box box);
struct extent leak_extent(const struct grid *grid, const struct part_leak *leak, int columns);
int leak_columns(const struct grid *grid, const struct part_leak *leak);
void leak_draw(struct grid *grid, const struct part_leak *leak, struct box box);
struct extent code_extent(const struct part_code *code);
int code_columns(const struct grid *grid, const struct part_code *code);
void code_draw(struct grid *grid, const struct part_code *code, struct box box);

/* What the kinds share. */
enum style cell_style(const struct cell *cell, bool in_cursor_row);
const char *cell_sign(const struct cell *cell); /* before its text: "✓ ", "✗ ", or "" */
/* The one cell that an edit would change, or that stands alone under the cursor among `marked` cells. */
bool cell_pointed(const struct cell *cell, size_t marked);
/* Where the decimal point of a number stands in columns, or where it would: after the last digit of the whole
 * part. */
int cell_point(const struct grid *grid, const struct cell *cell);
/* Which `room` of `count` are shown, `cursor` among them. */
void cell_slice(int count, int room, int cursor, int *first, int *shown);
/* The window of `rows` rows out of `count` in which `cursor` is seen; a row goes to a mark when not all are
 * shown. */
void cell_window(int count, int rows, int cursor, int *first, int *shown);

#endif
