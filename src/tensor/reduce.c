/* Sums, means, variances and extremes over any set of axes. */
#include "tensor/rows.h"

#include <math.h>

static double row_max(const float *x, size_t n)
{
    float most = x[0];
    for (size_t i = 1; i < n; i++)
        most = x[i] > most || isnan(x[i]) ? x[i] : most;
    return (double)most;
}

static double row_min(const float *x, size_t n)
{
    float least = x[0];
    for (size_t i = 1; i < n; i++)
        least = x[i] < least || isnan(x[i]) ? x[i] : least;
    return (double)least;
}

static double reduce_row(enum tensor_reduction op, const float *x, size_t n)
{
    const double count = (double)n;
    switch (op) {
    case TENSOR_SUM:
        return row_sum(x, n);
    case TENSOR_MEAN:
        return row_sum(x, n) / count;
    case TENSOR_VAR:
        return row_moments(x, n).squares / count;
    case TENSOR_VAR_UNBIASED:
        return n < 2 ? (double)NAN : row_moments(x, n).squares / (count - 1);
    case TENSOR_STD:
        return sqrt(reduce_row(TENSOR_VAR, x, n));
    case TENSOR_STD_UNBIASED:
        return sqrt(reduce_row(TENSOR_VAR_UNBIASED, x, n));
    case TENSOR_MAX:
        return row_max(x, n);
    case TENSOR_MIN:
        return row_min(x, n);
    }
    return (double)NAN;
}

struct reduction {
    enum tensor_reduction op;
    float *rounded; /* one of the two */
    double *exact;
};

static void visit(void *context, size_t lane, size_t row, float *y, const float *x, size_t n)
{
    (void)lane;
    (void)y;
    const struct reduction *reduction = context;
    const double result = reduce_row(reduction->op, x, n);
    if (reduction->exact)
        reduction->exact[row] = result;
    else
        reduction->rounded[row] = (float)result;
}

/* An extreme needs an element. */
static int check(enum tensor_reduction op, const struct tensor *x, tensor_axes axes, struct error *err)
{
    char shape[TENSOR_SHAPE_TEXT];
    if (op != TENSOR_MAX && op != TENSOR_MIN)
        return 0;
    for (int axis = 0; axis < x->rank; axis++)
        if (axes >> axis & 1 && x->extent[axis] == 0)
            return error_set(err, "cannot take the %s of %s: there are no elements",
                             op == TENSOR_MAX ? "max" : "min", shape_compact(shape, x->rank, x->extent));
    return 0;
}

int tensor_reduce(struct tensor **out, enum tensor_reduction op, const struct tensor *x, tensor_axes axes,
                  struct error *err)
{
    if (axes_check(x, axes, err) < 0 || check(op, x, axes, err) < 0)
        return -1;
    size_t extents[TENSOR_RANK_MAX];
    axes_reduce(extents, x, axes);
    struct tensor *y;
    if (tensor_like(&y, x, extents, err) < 0)
        return -1;
    struct reduction reduction = {.op = op, .rounded = y->values};
    if (rows_each(NULL, x, axes, visit, &reduction, err) < 0) {
        tensor_free(y);
        return -1;
    }
    *out = y;
    return 0;
}

int tensor_reduce_all(double *out, enum tensor_reduction op, const struct tensor *x, struct error *err)
{
    const tensor_axes axes = tensor_all_axes(x);
    struct reduction reduction = {.op = op, .exact = out};
    if (check(op, x, axes, err) < 0)
        return -1;
    return rows_each(NULL, x, axes, visit, &reduction, err);
}
