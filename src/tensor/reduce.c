/* Sums, means, variances and extremes over any set of axes. */
#include "tensor/backward.h"
#include "tensor/element.h"
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

static double reduce_row_steps(enum tensor_reduction op, const float *x, size_t n, const struct tensor_steps *steps)
{
    switch (op) {
    case TENSOR_SUM:
        return steps_sum(x, n, steps->type);
    case TENSOR_MEAN:
        return steps_mean(x, n, steps->type);
    case TENSOR_VAR:
    case TENSOR_VAR_UNBIASED:
        return steps_moments(x, n, steps, op == TENSOR_VAR_UNBIASED).var;
    case TENSOR_STD:
        return tensor_round(sqrt(steps_moments(x, n, steps, false).var), steps->type);
    case TENSOR_STD_UNBIASED:
        return tensor_round(sqrt(steps_moments(x, n, steps, true).var), steps->type);
    case TENSOR_MAX:
    case TENSOR_MIN:
        break;
    }
    return (double)NAN;
}

struct reduction {
    enum tensor_reduction op;
    const struct tensor_steps *steps; /* NULL: none */
    struct tensor *y; /* one of the two */
    double *exact;
};

static void visit(void *context, size_t lane, size_t row, float *y, const float *x, size_t n)
{
    (void)lane;
    (void)y;
    const struct reduction *reduction = context;
    const double result = reduction->steps ? reduce_row_steps(reduction->op, x, n, reduction->steps)
                                           : reduce_row(reduction->op, x, n);
    if (reduction->exact)
        reduction->exact[row] = result;
    else
        element_put(reduction->y, (ptrdiff_t)row, result);
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

static int check_steps(enum tensor_reduction op, struct error *err)
{
    if (op == TENSOR_MAX || op == TENSOR_MIN)
        return error_set(err, "the %s adds nothing up: it has no steps to choose", op == TENSOR_MAX ? "max" : "min");
    return 0;
}

/* Not recorded yet. */
static int reduce(struct tensor **out, const struct tensor *x, tensor_axes axes, struct reduction *reduction,
                  struct error *err)
{
    if (axes_check(x, axes, err) < 0 || check(reduction->op, x, axes, err) < 0)
        return -1;
    size_t extents[TENSOR_RANK_MAX];
    axes_reduce(extents, x, axes);
    if (tensor_like(&reduction->y, x, extents, err) < 0)
        return -1;
    if (rows_each(NULL, x, axes, visit, reduction, err) < 0) {
        tensor_free(reduction->y);
        return -1;
    }
    *out = reduction->y;
    return 0;
}

static int reduce_all(double *out, const struct tensor *x, struct reduction *reduction, struct error *err)
{
    const tensor_axes axes = tensor_all_axes(x);
    reduction->exact = out;
    if (check(reduction->op, x, axes, err) < 0)
        return -1;
    return rows_each(NULL, x, axes, visit, reduction, err);
}

int tensor_reduce(struct tensor **out, enum tensor_reduction op, const struct tensor *x, tensor_axes axes,
                  struct error *err)
{
    struct tensor *y;
    if (reduce(&y, x, axes, &(struct reduction){.op = op}, err) < 0)
        return -1;
    return record_reduce(out, y, op, x, axes, err);
}

int tensor_reduce_all(double *out, enum tensor_reduction op, const struct tensor *x, struct error *err)
{
    return reduce_all(out, x, &(struct reduction){.op = op}, err);
}

int tensor_reduce_steps(struct tensor **out, enum tensor_reduction op, const struct tensor *x, tensor_axes axes,
                        const struct tensor_steps *steps, struct error *err)
{
    struct tensor *y;
    if (check_steps(op, err) < 0 || reduce(&y, x, axes, &(struct reduction){.op = op, .steps = steps}, err) < 0)
        return -1;
    return record_reduce(out, y, op, x, axes, err);
}

int tensor_reduce_all_steps(double *out, enum tensor_reduction op, const struct tensor *x,
                            const struct tensor_steps *steps, struct error *err)
{
    if (check_steps(op, err) < 0)
        return -1;
    return reduce_all(out, x, &(struct reduction){.op = op, .steps = steps}, err);
}
