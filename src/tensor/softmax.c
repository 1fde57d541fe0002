/* Softmax over any set of axes: y = e^(x - max) / sum of e^(x - max), in double. */
#include "tensor/backward.h"
#include "tensor/rows.h"

#include <math.h>

/* The largest; NaN if there is one. */
static double row_most(const float *x, size_t n)
{
    float most = x[0];
    for (size_t i = 1; i < n; i++)
        most = x[i] > most || isnan(x[i]) ? x[i] : most;
    return (double)most;
}

static double exponentials(const float *x, size_t n, double most)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += exp((double)x[i] - most);
    return sum;
}

static void visit(void *context, size_t lane, size_t row, float *y, const float *x, size_t n)
{
    (void)context;
    (void)lane;
    (void)row;
    const double most = n ? row_most(x, n) : 0, sum = exponentials(x, n, most);
    for (size_t i = 0; i < n; i++)
        y[i] = (float)(exp((double)x[i] - most) / sum);
}

/* ---- the way back: dx = y * (g - sum(g * y)) ---- */

struct way {
    double *most, *sum, *along; /* of each row; the last: sum(g * y) */
    const float *x, *g;
    float *back;
    ptrdiff_t x_stride, row_stride;
};

static void measure(void *context, size_t lane, size_t row, float *y, const float *x, size_t n)
{
    (void)lane;
    (void)y;
    const struct way *way = context;
    way->most[row] = n ? row_most(x, n) : 0;
    way->sum[row] = exponentials(x, n, way->most[row]);
}

static inline double y_at(const struct way *way, ptrdiff_t at, ptrdiff_t row)
{
    return exp((double)way->x[at] - way->most[row]) / way->sum[row];
}

static void visit_along(void *context, size_t position, const ptrdiff_t offset[LOOP_TENSORS], size_t n)
{
    const struct way *way = context;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {
        const ptrdiff_t row = offset[1] + i * way->row_stride;
        way->along[row] +=
            (double)way->g[(ptrdiff_t)position + i] * y_at(way, offset[0] + i * way->x_stride, row);
    }
}

static void visit_back(void *context, size_t position, const ptrdiff_t offset[LOOP_TENSORS], size_t n)
{
    const struct way *way = context;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {
        const ptrdiff_t row = offset[1] + i * way->row_stride, at = (ptrdiff_t)position + i;
        const double y = y_at(way, offset[0] + i * way->x_stride, row);
        way->back[at] = (float)(y * ((double)way->g[at] - way->along[row]));
    }
}

static int backward(struct node *node, const struct tensor *g, struct error *err)
{
    const tensor_axes axes = *(const tensor_axes *)node->details;
    const struct tensor *x = node->saved[0];
    size_t extents[TENSOR_RANK_MAX], rows = 1;
    ptrdiff_t row_strides[TENSOR_RANK_MAX];
    struct tensor *back;
    axes_reduce(extents, x, axes);
    spread_strides(row_strides, x->rank, extents, x->rank);
    for (int axis = 0; axis < x->rank; axis++)
        rows *= extents[axis];
    if (node_gradient(&back, g, node, 0, err) < 0)
        return -1;
    double *sums = sums_new(g, 3 * rows, err);
    struct way way = {.most = sums, .sum = sums + rows, .along = sums + 2 * rows};
    if (!sums || rows_each(NULL, x, axes, measure, &way, err) < 0) {
        sums_free(g, sums, 3 * rows);
        tensor_free(back);
        return -1;
    }
    struct loop loop;
    loop_begin(&loop);
    for (int axis = 0; axis < x->rank; axis++)
        loop_add(&loop, x->extent[axis], x->stride[axis], row_strides[axis]);
    way.x = x->values;
    way.g = g->values;
    way.back = back->values;
    way.x_stride = loop_run_stride(&loop, 0);
    way.row_stride = loop_run_stride(&loop, 1);
    loop_in_order(&loop, visit_along, &way);
    loop_each(&loop, visit_back, &way);
    sums_free(g, sums, 3 * rows);
    return node_give(node, 0, back, err);
}

int tensor_softmax(struct tensor **out, const struct tensor *x, tensor_axes axes, struct error *err)
{
    const char *names[TENSOR_RANK_MAX];
    struct tensor *y;
    if (axes_check(x, axes, err) < 0)
        return -1;
    if (axes == 0)
        return error_set(err, "softmax needs at least one axis");
    for (int axis = 0; axis < x->rank; axis++)
        names[axis] = x->name[axis];
    if (tensor_like_typed(&y, x, TENSOR_FLOAT32, x->rank, x->extent, names, err) < 0)
        return -1;
    if (rows_each(y, x, axes, visit, NULL, err) < 0) {
        tensor_free(y);
        return -1;
    }
    if (type_narrow(&y, x->type, err) < 0)
        return -1;
    return record_result(out, y,
                         &(struct record){.backward = backward,
                                          .operands = {x},
                                          .saved = {x},
                                          .details = &axes,
                                          .details_size = sizeof axes},
                         err);
}
