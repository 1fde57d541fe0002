/* What the files that build views share. */
#ifndef ENGINE_VIEW_PARTS_H
#define ENGINE_VIEW_PARTS_H

#include "engine/internal.h"

/* A view being built: where its fields and facts are. */
struct drawing {
    struct engine *engine;
    const struct step_def *step;      /* whose `hide`, `edit` and `cursor` hold */
    const struct construct *construct; /* the view */
    int fields;                       /* stack index of its fields */
    int env, before_env;              /* knobs as they are; as they start */
    struct scene_step *out;
    bool open;                        /* nothing is hidden any more */
    bool editable; /* a question's cells until it is answered, a prediction's once it is: the verdict stays that of its numbers */
};

/* A matrix read from a formula: a row is 1 by n. */
struct rows {
    const struct tensor *tensor; /* kept alive by the Lua stack */
    size_t count, width;
    const char *name;  /* of the fact where the formula is just a name, or NULL */
};

bool is_name(const char *text); /* and nothing else: no formula */
bool drawing_hides(struct drawing *d, const char *quantity);
bool drawing_has(struct drawing *d, const char *field);
void drawing_rows(struct drawing *d, int index, const char *field, struct rows *out); /* leaves its tensor on the stack */
double drawing_number(struct drawing *d, const char *field, double when_none);
const struct tensor *drawing_tensor(struct drawing *d, const char *field); /* on the stack; NULL: not given */
struct strings drawing_words(struct drawing *d, const char *field, size_t count, const char *pattern); /* "token %zu" for those missing */
bool drawing_editable(struct drawing *d, const char *name);
struct strings drawing_names(struct drawing *d, size_t count, const char *pattern); /* the words of `names`, a name for each of `count` numbers */
uint32_t drawing_cursor(struct drawing *d, const char *axis, size_t size); /* from 1; adds the axis to the step */

struct part *view_parts(struct drawing *d, struct view *view, size_t count);
void cell_number(struct engine *engine, struct cell *cell, double value, int places); /* places -1: four significant digits */
void cell_hide(struct cell *cell);
int column_places(const double *values, size_t count);
/* Writes column `column` of a table of `columns`: one form for all its numbers, "?" where hidden. */
void cells_column(struct engine *engine, struct cell *cells, size_t rows, size_t columns, size_t column, const double *values, bool hidden);
double largest_of(const double *values, size_t count); /* magnitude; 1 when all are 0 or not finite */

/* view_norm.c: what rows are normalized and measured by */
#define NORM_EPS 1e-5 /* where none is given */
struct normed {
    const struct tensor *y, *mean, *var, *rstd;
};
/* Every row by itself, in the compute core; what comes of it lies on the Lua stack, which frees it. */
void drawing_normalize(struct drawing *d, const struct tensor *x, bool rms, double eps, const struct tensor *scale, const struct tensor *bias,
                       struct normed *out);
double *drawing_values(struct drawing *d, const struct tensor *x, size_t from, size_t count);
double mean_of(const double *values, size_t count);
double deviation_of(const double *values, size_t count);
double without_noise(double value, const double *values, size_t count); /* what float32 rounding leaves of 0 is 0 */
void fill_series(struct drawing *d, struct bars_series *series, const char *label, const double *values, size_t count, double reach, bool hidden);
void mark_editable(struct cell *cells, size_t count);
/* How far a row's bars after the norm may reach: where they would stand without eps. */
double full_reach(const double *before, const double *after, size_t count, bool rms);

enum { MAP_AXES_MAX = 3 };
/* view_map.c: a tensor cell by cell; pushes and checks the tensor of the formula at `index` as drawing_rows does */
void drawing_map(struct drawing *d, int index, struct rows *out);
void map_fill(struct drawing *d, struct part *part, const struct tensor *shape, const double *values, const char *title, bool hidden);
/* Where the cursor stands, from 0: a cursor axis for each axis of x that has more than one place. */
void map_cursor(struct drawing *d, const struct tensor *x, size_t index[MAP_AXES_MAX]);
const char *map_axis_name(const struct tensor *x, int axis); /* what one of its elements is called: a sample of the batch */
size_t map_position(const struct tensor *x, const size_t *index); /* row-major */

void view_axes(struct drawing *d, struct view *view);     /* view_map.c */
void view_heat(struct drawing *d, struct view *view);     /* view_map.c */
void view_compare(struct drawing *d, struct view *view);  /* view_compare.c */
void view_block(struct drawing *d, struct view *view);    /* view_block.c */
void view_stack(struct drawing *d, struct view *view);    /* view_stack.c */
void view_leak(struct drawing *d, struct view *view);     /* view_module.c */
void view_probes(struct drawing *d, struct view *view);   /* view_module.c */
void view_precision(struct drawing *d, struct view *view); /* view_precision.c */
void view_code(struct drawing *d, struct view *view);     /* view_plain.c */
void view_tokens(struct drawing *d, struct view *view);   /* view_norm.c */
void view_pipeline(struct drawing *d, struct view *view); /* view_pipeline.c */
void view_bars(struct drawing *d, struct view *view);     /* view_plain.c */
void view_table(struct drawing *d, struct view *view);    /* view_plain.c */
void view_plot(struct drawing *d, struct view *view);     /* view_plot.c */

#endif
