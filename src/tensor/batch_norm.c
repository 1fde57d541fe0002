/* Batch norm: by the statistics of a batch, or by those that were kept. */
#include "tensor/backward.h"
#include "tensor/broadcast.h"
#include "tensor/channel.h"
#include "tensor/loop.h"
#include "tensor/norm.h"

#include <math.h>

static void free_all(struct tensor_batch_norm *made)
{
    norm_results_free(&made->norm);
    tensor_free(made->running_mean);
    tensor_free(made->running_var);
}

/* ---- by given statistics ---- */

/* y = (x - mean) / sqrt(var + eps) * scale + bias, a mean and a variance for each row */
struct given {
    const float *x, *scale, *bias;
    const float *mean, *var;
    float *y;
    double eps;
    ptrdiff_t stride[LOOP_TENSORS]; /* of x, row, scale, bias */
};

static void visit(void *context, size_t position, const ptrdiff_t offset[LOOP_TENSORS], size_t n)
{
    const struct given *by = context;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {
        const ptrdiff_t row = offset[1] + i * by->stride[1];
        const double rstd = 1 / sqrt((double)by->var[row] + by->eps);
        const double scale = by->scale ? (double)by->scale[offset[2] + i * by->stride[2]] : 1;
        const double bias = by->bias ? (double)by->bias[offset[3] + i * by->stride[3]] : 0;
        const double x = (double)by->x[offset[0] + i * by->stride[0]];
        by->y[(ptrdiff_t)position + i] = (float)((x - (double)by->mean[row]) * rstd * scale + bias);
    }
}

/* x, scale, bias, mean and var are float32; the last two have x's axes, all but the channels' of extent 1. */
static int normalize_by(struct tensor **y, const struct tensor *x, const struct tensor *mean,
                        const struct tensor *var, const struct tensor_norm_options *options,
                        struct error *err)
{
    ptrdiff_t strides[4][TENSOR_RANK_MAX] = {{0}};
    if ((options->scale && broadcast_into(strides[2], options->scale, x, "scale", err) < 0) ||
        (options->bias && broadcast_into(strides[3], options->bias, x, "bias", err) < 0) ||
        tensor_like(y, x, x->extent, err) < 0)
        return -1;
    broadcast_strides(strides[1], mean, x->rank);
    struct loop loop;
    loop_begin(&loop);
    for (int axis = 0; axis < x->rank; axis++)
        loop_add_all(&loop, x->extent[axis],
                     (const ptrdiff_t[LOOP_TENSORS]){x->stride[axis], strides[1][axis], strides[2][axis],
                                                     strides[3][axis]});
    struct given by = {.x = x->values,
                       .scale = options->scale ? options->scale->values : NULL,
                       .bias = options->bias ? options->bias->values : NULL,
                       .mean = mean->values,
                       .var = var->values,
                       .y = (*y)->values,
                       .eps = options->eps};
    for (int i = 0; i < LOOP_TENSORS; i++)
        by.stride[i] = loop_run_stride(&loop, i);
    loop_each(&loop, visit, &by);
    return 0;
}

/* A contiguous float32 copy that is not tracked. */
static int plain_copy(struct tensor **out, const struct tensor *x, struct error *err)
{
    struct tensor *view;
    if (tensor_detach(&view, x, err) < 0)
        return -1;
    const int status = tensor_cast(out, view, TENSOR_FLOAT32, err);
    tensor_free(view);
    return status;
}

static int find_rstd(struct tensor **out, const struct tensor *var, double eps, struct error *err)
{
    if (tensor_like(out, var, var->extent, err) < 0)
        return -1;
    for (size_t i = 0; i < var->count; i++)
        (*out)->values[i] = (float)(1 / sqrt((double)var->values[i] + eps));
    return 0;
}

/* The statistics in x's axes, and the result as float32. */
static int by_kept(struct tensor_batch_norm *made, const struct tensor *x,
                   const struct tensor_norm_options *options, int channel, struct error *err)
{
    struct tensor_norm *norm = &made->norm;
    struct tensor_norm_options wide = *options;
    const struct tensor *wide_x = x, *scale = options->scale, *bias = options->bias;
    int status = -1;
    if (channel_spread(&norm->mean, "running_mean", made->running_mean, x, channel, err) == 0 &&
        channel_spread(&norm->var, "running_var", made->running_var, x, channel, err) == 0 &&
        find_rstd(&norm->rstd, norm->var, options->eps, err) == 0 && type_widen(&wide_x, x, err) == 0 &&
        (!scale || type_widen(&scale, options->scale, err) == 0) &&
        (!bias || type_widen(&bias, options->bias, err) == 0)) {
        wide.scale = scale;
        wide.bias = bias;
        status = normalize_by(&norm->y, wide_x, norm->mean, norm->var, &wide, err);
    }
    type_widened(wide_x, x);
    type_widened(scale, options->scale);
    type_widened(bias, options->bias);
    return status < 0 ? -1 : type_narrow(&norm->y, x->type, err);
}

static int evaluate(struct tensor_batch_norm *made, const struct tensor *x,
                    const struct tensor_batch_norm_options *options, const struct tensor_norm_options *by,
                    struct error *err)
{
    struct tensor_norm *norm = &made->norm;
    if (!options->running_mean || !options->running_var)
        return error_set(err, "batch norm in evaluation needs the running mean and variance");
    if (plain_copy(&made->running_mean, options->running_mean, err) < 0 ||
        plain_copy(&made->running_var, options->running_var, err) < 0 ||
        by_kept(made, x, by, options->channel, err) < 0)
        return -1;
    struct tensor *y = norm->y;
    norm->y = NULL;
    return record_norm_given(&norm->y, y, x, norm->mean, norm->var, by, err);
}

/* ---- by the batch ---- */

/* (1 - momentum) old + momentum new * factor */
static int keep(struct tensor **out, const char *what, const struct tensor *old, const struct tensor *new_one,
                double momentum, double factor, struct error *err)
{
    char mine[TENSOR_SHAPE_TEXT];
    if (!old)
        return 0;
    if (old->rank != 1 || old->count != new_one->count)
        return error_set(err, "%s %s does not fit: it needs one number for each of %zu channels", what,
                         shape_compact(mine, old->rank, old->extent), new_one->count);
    if (plain_copy(out, old, err) < 0)
        return -1;
    for (size_t i = 0; i < old->count; i++)
        tensor_set_flat(*out, i,
                        (1 - momentum) * (double)tensor_get_flat(old, i) +
                            momentum * factor * (double)tensor_get_flat(new_one, i));
    return 0;
}

static int train(struct tensor_batch_norm *made, const struct tensor *x,
                 const struct tensor_batch_norm_options *options, const struct tensor_norm_options *by,
                 struct error *err)
{
    char shape[TENSOR_SHAPE_TEXT];
    const size_t n = x->extent[options->channel] ? x->count / x->extent[options->channel] : 0;
    if (n == 1)
        return error_set(err,
                         "batch norm needs more than one element in each channel while training: %s has one",
                         shape_compact(shape, x->rank, x->extent));
    if (layer_norm(&made->norm, x, by, err) < 0)
        return -1;
    const double unbiased = (double)n / ((double)n - 1), momentum = options->momentum;
    if (keep(&made->running_mean, "running_mean", options->running_mean, made->norm.mean, momentum, 1, err) <
        0)
        return -1;
    return keep(&made->running_var, "running_var", options->running_var, made->norm.var, momentum, unbiased,
                err);
}

int batch_norm(struct tensor_batch_norm *out, const struct tensor *x,
               const struct tensor_batch_norm_options *options, struct error *err)
{
    struct tensor_batch_norm made = {.running_mean = NULL};
    struct tensor *scale = NULL, *bias = NULL;
    const int channel = options->channel;
    if (channel_check(x, channel, err) < 0)
        return -1;
    struct tensor_norm_options by = {.axes = tensor_all_axes(x) & ~((tensor_axes)1 << channel),
                                     .eps = options->eps};
    int status = norm_check(x, &by, err);
    if (status == 0)
        status = channel_spread(&scale, "scale", options->scale, x, channel, err);
    if (status == 0)
        status = channel_spread(&bias, "bias", options->bias, x, channel, err);
    by.scale = scale;
    by.bias = bias;
    if (status == 0)
        status = (options->training ? train : evaluate)(&made, x, options, &by, err);
    tensor_free(scale);
    tensor_free(bias);
    if (status < 0)
        free_all(&made);
    else
        *out = made;
    return status;
}
