/* The way back of layer norm and RMS norm over any set of axes. With xhat = (x - mean) * rstd, ds = dy *
   scale and sums over a row of n elements (the mean is 0 and its term missing in RMS norm):

     dx     = rstd * (ds - sum(ds) / n - xhat * sum(ds * xhat) / n)
     dscale = sum of dy * xhat, dbias = sum of dy, over all rows that a scale or bias serves

   Where mean and variance are given, and so do not depend on x, dx is rstd * ds.
   All of it is computed in double, out of x itself, and rounded once; rows that the kernels can have are theirs. */
#include "tensor/norm_backward.h"
#include "tensor/backward.h"
#include "tensor/broadcast.h"
#include "tensor/kernel.h"
#include "tensor/norm.h"
#include "tensor/rows.h"

#include <math.h>

/* What is known of each row, and of the row's elements. */
struct rows_known {
    size_t count, n;
    double *shift, *rest, *rstd, *plain, *along; /* the last two: the sums over ds and ds * xhat */
    double eps;
    bool layer, given;
};

struct way {
    struct rows_known rows;
    const float *x, *dy, *scale; /* scale: NULL without one */
    const float *more; /* added to dx; or NULL */
    float *dx;
    double *sums;
    ptrdiff_t stride[LOOP_TENSORS];
};

/* ---- rows ---- */

static void measure(void *context, size_t lane, size_t row, float *y, const float *x, size_t n)
{
    (void)lane;
    (void)y;
    const struct rows_known *rows = context;
    if (rows->layer) {
        const struct row_moments m = row_moments(x, n);
        rows->shift[row] = m.shift;
        rows->rest[row] = m.rest;
        rows->rstd[row] = 1 / sqrt(m.squares / (double)n + rows->eps);
    } else {
        const double mean_square = row_square_sum(x, n) / (double)n;
        rows->rstd[row] = isinf(mean_square) ? (double)NAN : 1 / sqrt(mean_square + rows->eps);
    }
}

static int rows_open(struct rows_known *rows, const struct tensor *x, tensor_axes axes, double eps,
                     bool layer, const struct norm_given *given, struct error *err)
{
    *rows = (struct rows_known){.eps = eps, .layer = layer, .given = given, .count = 1, .n = 1};
    for (int axis = 0; axis < x->rank; axis++)
        *(axes >> axis & 1 ? &rows->n : &rows->count) *= x->extent[axis];
    if (!(rows->shift = sums_new(x, 5 * rows->count, err)))
        return -1;
    rows->rest = rows->shift + rows->count;
    rows->rstd = rows->rest + rows->count;
    rows->plain = rows->rstd + rows->count;
    rows->along = rows->plain + rows->count;
    for (size_t row = 0; given && row < rows->count; row++) {
        rows->shift[row] = (double)given->mean[row];
        rows->rstd[row] = 1 / sqrt((double)given->var[row] + eps);
    }
    return given ? 0 : rows_each(NULL, x, axes, measure, rows, err);
}

static void rows_close(struct rows_known *rows, const struct tensor *x)
{
    sums_free(x, rows->shift, 5 * rows->count);
}

static inline double xhat(const struct rows_known *rows, ptrdiff_t row, float x)
{
    return (((double)x - rows->shift[row]) - rows->rest[row]) * rows->rstd[row];
}

/* ---- walks: x, dy, and two more ---- */

static void walk(struct way *way, loop_visit *visit, const struct tensor *x, const struct tensor *dy,
                 const ptrdiff_t *third, const ptrdiff_t *fourth)
{
    struct loop loop;
    loop_begin(&loop);
    for (int axis = 0; axis < x->rank; axis++)
        loop_add_all(
            &loop, x->extent[axis],
            (const ptrdiff_t[LOOP_TENSORS]){x->stride[axis], dy->stride[axis], third[axis], fourth[axis]});
    for (int i = 0; i < LOOP_TENSORS; i++)
        way->stride[i] = loop_run_stride(&loop, i);
    loop_in_order(&loop, visit, way);
}

/* The third is scale, the fourth the row. */
static inline double ds(const struct way *way, const ptrdiff_t *offset, ptrdiff_t i)
{
    const double dy = (double)way->dy[offset[1] + i * way->stride[1]];
    return way->scale ? dy * (double)way->scale[offset[2] + i * way->stride[2]] : dy;
}

static void visit_sums(void *context, size_t position, const ptrdiff_t offset[LOOP_TENSORS], size_t n)
{
    (void)position;
    struct way *way = context;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {
        const ptrdiff_t row = offset[3] + i * way->stride[3];
        const double d = ds(way, offset, i);
        way->rows.plain[row] += d;
        way->rows.along[row] += d * xhat(&way->rows, row, way->x[offset[0] + i * way->stride[0]]);
    }
}

static void visit_dx(void *context, size_t position, const ptrdiff_t offset[LOOP_TENSORS], size_t n)
{
    const struct way *way = context;
    const struct rows_known *rows = &way->rows;
    const double count = (double)rows->n;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {
        const ptrdiff_t row = offset[3] + i * way->stride[3];
        const double h = xhat(rows, row, way->x[offset[0] + i * way->stride[0]]);
        const double mean = rows->layer ? rows->plain[row] / count : 0;
        const double mine = ds(way, offset, i),
                     d = rows->given ? mine : mine - mean - h * (rows->along[row] / count);
        const float dx = (float)(rows->rstd[row] * d);
        way->dx[(ptrdiff_t)position + i] = way->more ? dx + way->more[(ptrdiff_t)position + i] : dx;
    }
}

/* The third is the row, the fourth what is summed. */
static void visit_dscale(void *context, size_t position, const ptrdiff_t offset[LOOP_TENSORS], size_t n)
{
    (void)position;
    const struct way *way = context;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {
        const ptrdiff_t row = offset[2] + i * way->stride[2];
        const double h = xhat(&way->rows, row, way->x[offset[0] + i * way->stride[0]]);
        way->sums[offset[3] + i * way->stride[3]] += (double)way->dy[offset[1] + i * way->stride[1]] * h;
    }
}

static void visit_dbias(void *context, size_t position, const ptrdiff_t offset[LOOP_TENSORS], size_t n)
{
    (void)position;
    const struct way *way = context;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)
        way->sums[offset[3] + i * way->stride[3]] += (double)way->dy[offset[1] + i * way->stride[1]];
}

/* ---- the three gradients ---- */

static int find_dx(struct tensor **out, struct way *way, const struct tensor *x, const struct tensor *dy,
                   const ptrdiff_t *scale_strides, const ptrdiff_t *row_strides, struct error *err)
{
    const char *names[TENSOR_RANK_MAX];
    for (int axis = 0; axis < x->rank; axis++)
        names[axis] = x->name[axis];
    if (tensor_like_typed(out, x, TENSOR_FLOAT32, x->rank, x->extent, names, err) < 0)
        return -1;
    way->dx = (*out)->values;
    walk(way, visit_sums, x, dy, scale_strides, row_strides);
    walk(way, visit_dx, x, dy, scale_strides, row_strides);
    return 0;
}

/* Of scale or bias, `of`. */
static int find_sum(struct tensor **out, struct way *way, loop_visit *visit, const struct tensor *of,
                    const struct tensor *x, const struct tensor *dy, const ptrdiff_t *row_strides,
                    struct error *err)
{
    const char *names[TENSOR_RANK_MAX];
    ptrdiff_t strides[TENSOR_RANK_MAX];
    for (int axis = 0; axis < of->rank; axis++)
        names[axis] = of->name[axis];
    if (tensor_like_typed(out, of, TENSOR_FLOAT32, of->rank, of->extent, names, err) < 0)
        return -1;
    if (!(way->sums = sums_new(x, of->count, err)))
        return -1;
    spread_strides(strides, of->rank, of->extent, x->rank);
    walk(way, visit, x, dy, row_strides, strides);
    sums_round((*out)->values, way->sums, of->count);
    sums_free(x, way->sums, of->count);
    return 0;
}

static int find(struct tensor_norm_gradients *out, struct way *way, const struct tensor *x,
                const struct tensor *dy, const struct tensor_norm_options *options,
                const ptrdiff_t *scale_strides, unsigned wanted, struct error *err)
{
    ptrdiff_t row_strides[TENSOR_RANK_MAX];
    size_t extents[TENSOR_RANK_MAX];
    axes_reduce(extents, x, options->axes);
    spread_strides(row_strides, x->rank, extents, x->rank);
    if (wanted & NORM_DX && find_dx(&out->dx, way, x, dy, scale_strides, row_strides, err) < 0)
        return -1;
    if (wanted & NORM_DSCALE &&
        find_sum(&out->dscale, way, visit_dscale, options->scale, x, dy, row_strides, err) < 0)
        return -1;
    if (wanted & NORM_DBIAS &&
        find_sum(&out->dbias, way, visit_dbias, options->bias, x, dy, row_strides, err) < 0)
        return -1;
    return 0;
}

static void free_gradients(struct tensor_norm_gradients *gradients)
{
    tensor_free(gradients->dx);
    tensor_free(gradients->dscale);
    tensor_free(gradients->dbias);
}

int norm_backward(struct tensor_norm_gradients *out, bool layer, const struct tensor *dy,
                  const struct tensor *x, const struct tensor_norm_options *options,
                  const struct norm_given *given, const float *more, unsigned wanted, struct error *err)
{
    ptrdiff_t scale_strides[TENSOR_RANK_MAX] = {0}, bias_strides[TENSOR_RANK_MAX];
    const struct tensor *scale = options->scale, *bias = options->bias;
    struct tensor_norm_gradients gradients = {.dx = NULL};
    if ((scale && broadcast_into(scale_strides, scale, x, "scale", err) < 0) ||
        (bias && broadcast_into(bias_strides, bias, x, "bias", err) < 0))
        return -1;
    wanted &= (scale ? ~0u : ~(unsigned)NORM_DSCALE) & (bias ? ~0u : ~(unsigned)NORM_DBIAS);
    struct norm_rows job;
    if (!given && dy->type == TENSOR_FLOAT32 && tensor_is_contiguous(dy) && kernel_takes(&job, layer, x, options))
        return norm_backward_rows(out, &job, dy, x, options, more, wanted, err);
    struct way way = {
        .x = x->values, .dy = dy->values, .scale = scale ? scale->values : NULL, .more = more};
    int status = rows_open(&way.rows, x, options->axes, options->eps, layer, given, err);
    if (status == 0)
        status = find(&gradients, &way, x, dy, options, scale_strides, wanted, err);
    rows_close(&way.rows, x);
    if (status < 0)
        free_gradients(&gradients);
    else
        *out = gradients;
    return status;
}

static int check(const struct tensor *dy, const struct tensor *x, const struct tensor_norm_options *options,
                 struct error *err)
{
    char mine[TENSOR_SHAPE_TEXT], theirs[TENSOR_SHAPE_TEXT];
    if (!tensor_same_shape(dy, x))
        return error_set(err, "dy is %s and x %s: they must have the same shape",
                         shape_compact(mine, dy->rank, dy->extent),
                         shape_compact(theirs, x->rank, x->extent));
    return norm_check(x, options, err);
}

/* Of any type, as float32. */
static int typed_backward(struct tensor_norm_gradients *out, bool layer, const struct tensor *dy,
                          const struct tensor *x, const struct tensor_norm_options *options,
                          struct error *err)
{
    const struct tensor *wide_x = x, *wide_dy = dy, *wide_scale = options->scale;
    struct tensor_norm_options wide = *options;
    if (check(dy, x, options, err) < 0)
        return -1;
    int status = type_widen(&wide_x, x, err);
    if (status == 0)
        status = type_widen(&wide_dy, dy, err);
    if (status == 0 && options->scale)
        status = type_widen(&wide_scale, options->scale, err);
    wide.scale = wide_scale;
    if (status == 0)
        status =
            norm_backward(out, layer, wide_dy, wide_x, &wide, NULL, NULL, NORM_DX | NORM_DSCALE | NORM_DBIAS, err);
    type_widened(wide_x, x);
    type_widened(wide_dy, dy);
    type_widened(wide_scale, options->scale);
    return status;
}

int layer_norm_backward(struct tensor_norm_gradients *out, const struct tensor *dy, const struct tensor *x,
                        const struct tensor_norm_options *options, struct error *err)
{
    return typed_backward(out, true, dy, x, options, err);
}

int rms_norm_backward(struct tensor_norm_gradients *out, const struct tensor *dy, const struct tensor *x,
                      const struct tensor_norm_options *options, struct error *err)
{
    return typed_backward(out, false, dy, x, options, err);
}

/* ---- in the record ---- */

struct recorded {
    tensor_axes axes;
    double eps;
    bool layer;
    enum statistic { MEAN, VAR, RSTD } statistic; /* of a record of one */
};

static int backward_y(struct node *node, const struct tensor *g, struct error *err)
{
    const struct recorded *recorded = node->details;
    const struct tensor_norm_options options = {
        .axes = recorded->axes, .eps = recorded->eps, .scale = node->saved[1], .bias = node->saved[2]};
    struct tensor_norm_gradients gradients;
    struct norm_given given;
    unsigned wanted = 0;
    for (size_t i = 0; i < 3; i++)
        wanted |= node_wants(node, i) ? 1u << i : 0;
    if (node->saved[3])
        given = (struct norm_given){node->saved[3]->values, node->saved[4]->values};
    struct tensor *before = wanted & NORM_DX ? node_take(node, 0) : NULL;
    int status = norm_backward(&gradients, recorded->layer, g, node->saved[0], &options,
                               node->saved[3] ? &given : NULL, before ? before->values : NULL, wanted, err);
    tensor_free(before);
    if (status < 0)
        return -1;
    struct tensor *back[3] = {gradients.dx, gradients.dscale, gradients.dbias};
    for (size_t i = 0; i < 3; i++) {
        if (back[i] && status == 0)
            status = node_give(node, i, back[i], err);
        else
            tensor_free(back[i]);
    }
    return status;
}

int record_norm_given(struct tensor **out, struct tensor *y, const struct tensor *x,
                      const struct tensor *mean, const struct tensor *var,
                      const struct tensor_norm_options *options, struct error *err)
{
    const struct recorded recorded = {.axes = options->axes, .eps = options->eps, .layer = true};
    return record_result(out, y,
                         &(struct record){.backward = backward_y,
                                          .operands = {x, options->scale, options->bias},
                                          .saved = {x, options->scale, options->bias, mean, var},
                                          .details = &recorded,
                                          .details_size = sizeof recorded},
                         err);
}

struct statistic_way {
    const struct recorded *recorded;
    const float *g; /* of each row */
};

/* d mean = 1/n, d var = 2 (x - mean) / n, d rstd = -rstd^3 / 2 * d var */
static void visit_statistic(void *context, size_t lane, size_t row, float *back, const float *x, size_t n)
{
    (void)lane;
    const struct statistic_way *way = context;
    const struct recorded *recorded = way->recorded;
    const double count = (double)n, g = (double)way->g[row];
    struct row_moments m = {0, 0, 0};
    if (recorded->layer)
        m = row_moments(x, n);
    else
        m.squares = row_square_sum(x, n);
    const double rstd = 1 / sqrt(m.squares / count + recorded->eps);
    const double by_var = recorded->statistic == RSTD ? -g * rstd * rstd * rstd / count : 2 * g / count;
    for (size_t i = 0; i < n; i++)
        back[i] =
            (float)(recorded->statistic == MEAN ? g / count : (((double)x[i] - m.shift) - m.rest) * by_var);
}

static int backward_statistic(struct node *node, const struct tensor *g, struct error *err)
{
    const struct recorded *recorded = node->details;
    struct statistic_way way = {recorded, g->values};
    struct tensor *back;
    if (node_gradient(&back, g, node, 0, err) < 0)
        return -1;
    if (rows_each(back, node->saved[0], recorded->axes, visit_statistic, &way, err) < 0) {
        tensor_free(back);
        return -1;
    }
    return node_give(node, 0, back, err);
}

static int record_statistic(struct tensor **statistic, enum statistic which, const struct recorded *norm,
                            const struct tensor *x, struct error *err)
{
    struct recorded recorded = *norm;
    struct tensor *y = *statistic;
    recorded.statistic = which;
    *statistic = NULL; /* freed on failure */
    if (!y)
        return 0;
    return record_result(statistic, y,
                         &(struct record){.backward = backward_statistic,
                                          .operands = {x},
                                          .saved = {x},
                                          .details = &recorded,
                                          .details_size = sizeof recorded},
                         err);
}

int record_norm(struct tensor_norm *out, struct tensor_norm *made, bool layer, const struct tensor *x,
                const struct tensor_norm_options *options, struct error *err)
{
    const struct recorded recorded = {.axes = options->axes, .eps = options->eps, .layer = layer};
    const struct record record = {.backward = backward_y,
                                  .operands = {x, options->scale, options->bias},
                                  .saved = {x, options->scale, options->bias},
                                  .details = &recorded,
                                  .details_size = sizeof recorded};
    struct tensor *y = made->y;
    made->y = NULL;
    if (record_result(&made->y, y, &record, err) < 0 ||
        record_statistic(&made->mean, MEAN, &recorded, x, err) < 0 ||
        record_statistic(&made->var, VAR, &recorded, x, err) < 0 ||
        record_statistic(&made->rstd, RSTD, &recorded, x, err) < 0) {
        norm_results_free(made);
        return -1;
    }
    *out = *made;
    return 0;
}
