/* The way back of sums, means, variances and extremes. */
#include "tensor/backward.h"
#include "tensor/rows.h"

#include <math.h>

struct reduction {
    enum tensor_reduction op;
    tensor_axes axes;
};

struct way {
    enum tensor_reduction op;
    const float *g; /* of each row */
};

/* 2 (x - mean) / divisor */
static void around_mean(float *back, const float *x, size_t n, const struct row_moments *m, double factor)
{
    for (size_t i = 0; i < n; i++)
        back[i] = (float)((((double)x[i] - m->shift) - m->rest) * factor);
}

/* Those that are the extreme share alike. None is where there is NaN: then all are 0/0. */
static void to_extreme(float *back, const float *x, size_t n, double g, bool most)
{
    float extreme = x[0];
    size_t equal = 0;
    for (size_t i = 1; i < n; i++)
        extreme = (most ? x[i] > extreme : x[i] < extreme) || isnan(x[i]) ? x[i] : extreme;
    for (size_t i = 0; i < n; i++)
        equal += x[i] == extreme;
    for (size_t i = 0; i < n; i++)
        back[i] = (float)(g * (x[i] == extreme) / (double)equal);
}

static void visit(void *context, size_t lane, size_t row, float *back, const float *x, size_t n)
{
    (void)lane;
    const struct way *way = context;
    const double g = (double)way->g[row];
    if (n == 0)
        return;
    if (way->op == TENSOR_MAX || way->op == TENSOR_MIN) {
        to_extreme(back, x, n, g, way->op == TENSOR_MAX);
        return;
    }
    const struct row_moments m = row_moments(x, n);
    const bool unbiased = way->op == TENSOR_VAR_UNBIASED || way->op == TENSOR_STD_UNBIASED;
    const bool root = way->op == TENSOR_STD || way->op == TENSOR_STD_UNBIASED;
    const double divisor = unbiased ? n < 2 ? (double)NAN : (double)n - 1 : (double)n;
    const double deviation = root ? sqrt(m.squares / divisor) : 0.5;
    /* A deviation of 0 has no slope; it counts as 0, as in PyTorch. */
    around_mean(back, x, n, &m, deviation == 0 ? 0 : g / (divisor * deviation));
}

/* Each element of a row gets the row's g, or its share of it. */
static void spread(struct tensor *back, const struct tensor *g, double share)
{
    ptrdiff_t strides[TENSOR_RANK_MAX];
    struct loop loop;
    spread_strides(strides, g->rank, g->extent, back->rank);
    loop_over(&loop, back->rank, back->extent, strides);
    if (loop.count == 0)
        return;
    struct loop_place place = {.offset = {0, 0}};
    const size_t run = loop_run(&loop);
    const ptrdiff_t stride = loop_run_stride(&loop, 0);
    float *to = back->values;
    do {
        for (ptrdiff_t i = 0; i < (ptrdiff_t)run; i++)
            to[i] = (float)((double)g->values[place.offset[0] + i * stride] * share);
        to += run;
    } while (loop_next(&loop, &place));
}

static int backward(struct node *node, const struct tensor *g, struct error *err)
{
    const struct reduction *reduction = node->details;
    struct way way = {reduction->op, g->values};
    struct tensor *back;
    if (node_gradient(&back, g, node, 0, err) < 0)
        return -1;
    if (reduction->op == TENSOR_SUM || reduction->op == TENSOR_MEAN) {
        spread(back, g, reduction->op == TENSOR_SUM ? 1 : 1 / ((double)back->count / (double)g->count));
    } else if (rows_each(back, node->saved[0], reduction->axes, visit, &way, err) < 0) {
        tensor_free(back);
        return -1;
    }
    return node_give(node, 0, back, err);
}

int record_reduce(struct tensor **out, struct tensor *y, enum tensor_reduction op, const struct tensor *x,
                  tensor_axes axes, struct error *err)
{
    const struct reduction reduction = {op, axes};
    const bool values = op != TENSOR_SUM && op != TENSOR_MEAN;
    const struct record record = {.backward = backward,
                                  .operands = {x},
                                  .saved = {values ? x : NULL},
                                  .details = &reduction,
                                  .details_size = sizeof reduction};
    return record_result(out, y, &record, err);
}
