/* A tensor as rows: the axes of a set make up a row, the other axes number the rows. Whatever the set and the
   strides, a kernel sees one contiguous row, so a row's result has the same bits in every layout. Private to
   tensor/. */
#ifndef TENSOR_ROWS_H
#define TENSOR_ROWS_H

#include "tensor/layout.h"
#include "tensor/loop.h"

struct rows {
    struct loop kept, within;
    size_t count, length; /* of rows; of one row */
    bool direct;          /* each row is contiguous where it lies */
};

void rows_of(struct rows *rows, const struct tensor *shape, const ptrdiff_t *strides, tensor_axes axes);
/* Copies `count` rows from `first` on, one behind the other. */
enum { ROWS_TILE_MAX = 16 };
void rows_gather(const struct rows *rows, float *restrict to, const float *values, size_t first,
                 size_t count);

/* Calls `visit` for every row of x, on several threads when there is much to do; what it writes to `y` becomes
   that row of y, which has x's shape and is float32. y may be NULL; x may hold halves. Rows of one lane (below rows_lanes) come one at a time:
   visit may work in memory of the lane's, but not allocate. */
typedef void row_visit(void *context, size_t lane, size_t row, float *y, const float *x, size_t n);
int rows_each(struct tensor *y, const struct tensor *x, tensor_axes axes, row_visit *visit, void *context,
              struct error *err);

size_t rows_lanes(const struct rows *rows);

/* Sums over one contiguous row, in double and in a fixed order. */
double row_sum(const float *x, size_t n);
double row_square_sum(const float *x, size_t n);
/* The row's mean is shift + rest, the rest being what a double cannot hold beside the shift. */
struct row_moments {
    double shift, rest;
    double squares; /* sum of (x - mean)^2 */
};
struct row_moments row_moments(const float *x, size_t n);

/* The same in arithmetic step by step. */
struct step_moments {
    double mean, var;
};
double steps_sum(const float *x, size_t n, enum tensor_type type);
double steps_mean(const float *x, size_t n, enum tensor_type type);
double steps_mean_square(const float *x, size_t n, enum tensor_type type);
struct step_moments steps_moments(const float *x, size_t n, const struct tensor_steps *steps, bool unbiased);

#endif
