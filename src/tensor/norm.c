/* Layer norm and RMS norm over any set of axes. Short rows are computed in double and rounded to float32 once,
   the others by the kernels, wherever they lie. */
#include "tensor/backward.h"
#include "tensor/broadcast.h"
#include "tensor/kernel.h"
#include "tensor/norm.h"
#include "tensor/norm_typed.h"
#include "tensor/rows.h"

#include <math.h>

/* scale or bias, read a row at a time. */
struct factor {
    const struct tensor *tensor; /* NULL: none */
    struct rows rows;
    bool same;      /* all rows are the same one */
    float *scratch; /* for rows that are not contiguous: one, or one for each lane */
    size_t scratch_count;
};

struct norm {
    struct factor scale, bias;
    double eps;
    float *mean, *var, *rstd; /* a statistic of each row */
};

static int factor_open(struct factor *factor, const char *role, const struct tensor *tensor,
                       const struct tensor *x, tensor_axes axes, struct error *err)
{
    ptrdiff_t strides[TENSOR_RANK_MAX];
    factor->tensor = tensor;
    if (!tensor)
        return 0;
    if (broadcast_into(strides, tensor, x, role, err) < 0)
        return -1;
    rows_of(&factor->rows, x, strides, axes);
    if (x->count == 0)
        return 0;
    factor->same = true;
    for (int axis = 0; axis < factor->rows.kept.rank; axis++)
        factor->same = factor->same && factor->rows.kept.stride[axis][0] == 0;
    if (factor->rows.direct)
        return 0;
    factor->scratch_count = factor->rows.length * (factor->same ? 1 : rows_lanes(&factor->rows));
    factor->scratch = scratch_new(x, factor->scratch_count, err);
    if (!factor->scratch)
        return -1;
    if (factor->same)
        rows_gather(&factor->rows, factor->scratch, tensor->values, 0, 1);
    return 0;
}

static const float *factor_row(const struct factor *factor, size_t lane, size_t row)
{
    if (!factor->tensor)
        return NULL;
    if (factor->rows.direct)
        return factor->tensor->values + (factor->same ? 0 : loop_offset(&factor->rows.kept, row, 0));
    if (factor->same)
        return factor->scratch;
    float *scratch = factor->scratch + lane * factor->rows.length;
    rows_gather(&factor->rows, scratch, factor->tensor->values, row, 1);
    return scratch;
}

static void factor_close(struct factor *factor, const struct tensor *x)
{
    scratch_free(x, factor->scratch, factor->scratch_count);
}

/* y = (x - mean) * rstd * scale + bias. Adding 0 for a missing bias makes a negative zero positive. */
static void write_row(const struct norm *norm, size_t lane, size_t row, float *restrict y,
                      const float *restrict x, size_t n, double shift, double rest, double rstd)
{
    const float *restrict scale = factor_row(&norm->scale, lane, row);
    const float *restrict bias = factor_row(&norm->bias, lane, row);
    if (scale && bias)
        for (size_t i = 0; i < n; i++)
            y[i] = (float)((((double)x[i] - shift) - rest) * rstd * (double)scale[i] + (double)bias[i]);
    else if (scale)
        for (size_t i = 0; i < n; i++)
            y[i] = (float)((((double)x[i] - shift) - rest) * rstd * (double)scale[i] + 0.0);
    else if (bias)
        for (size_t i = 0; i < n; i++)
            y[i] = (float)((((double)x[i] - shift) - rest) * rstd + (double)bias[i]);
    else
        for (size_t i = 0; i < n; i++)
            y[i] = (float)((((double)x[i] - shift) - rest) * rstd + 0.0);
}

static bool kernel_row(const struct norm *norm, bool rms, size_t lane, size_t row, float *y, const float *x,
                       size_t n)
{
    if (n < KERNEL_LEAST)
        return false;
    const struct norm_rows job = {
        .rms = rms,
        .rows = 1,
        .features = n,
        .eps = norm->eps,
        .x = x,
        .scale = factor_row(&norm->scale, lane, row),
        .bias = factor_row(&norm->bias, lane, row),
        .y = y,
        .mean = norm->mean ? norm->mean + row : NULL,
        .var = norm->var + row,
        .rstd = norm->rstd + row,
    };
    kernel_path()->forward(&job, 0, 1, false);
    return true;
}

static void layer_row(void *context, size_t lane, size_t row, float *y, const float *x, size_t n)
{
    const struct norm *norm = context;
    if (kernel_row(norm, false, lane, row, y, x, n))
        return;
    const struct row_moments moments = row_moments(x, n);
    const double var = moments.squares / (double)n, rstd = 1 / sqrt(var + norm->eps);
    norm->mean[row] = (float)(moments.shift + moments.rest);
    norm->var[row] = (float)var;
    norm->rstd[row] = (float)rstd;
    write_row(norm, lane, row, y, x, n, moments.shift, moments.rest, rstd);
}

static void rms_row(void *context, size_t lane, size_t row, float *y, const float *x, size_t n)
{
    const struct norm *norm = context;
    if (kernel_row(norm, true, lane, row, y, x, n))
        return;
    const double mean_square = row_square_sum(x, n) / (double)n;
    /* Only an infinity makes the mean of squares infinite; the finite elements would come out as 0. */
    const double rstd = isinf(mean_square) ? (double)NAN : 1 / sqrt(mean_square + norm->eps);
    norm->var[row] = (float)mean_square;
    norm->rstd[row] = (float)rstd;
    write_row(norm, lane, row, y, x, n, 0, 0, rstd);
}

static int normalize(struct tensor_norm *out, const struct tensor *x,
                     const struct tensor_norm_options *options, bool layer, row_visit *visit,
                     struct error *err)
{
    if (norm_check(x, options, err) < 0)
        return -1;
    if (norm_is_typed(x, options)) {
        struct tensor_norm typed;
        if (norm_typed(&typed, x, options, !layer, err) < 0)
            return -1;
        return record_norm(out, &typed, layer, x, options, err);
    }
    struct tensor_norm results = {.y = NULL};
    struct norm norm = {.eps = options->eps};
    int status = -1;
    if (factor_open(&norm.scale, "scale", options->scale, x, options->axes, err) == 0 &&
        factor_open(&norm.bias, "bias", options->bias, x, options->axes, err) == 0 &&
        norm_results_new(&results, x, options, layer, err) == 0) {
        norm.mean = layer ? results.mean->values : NULL;
        norm.var = results.var->values;
        norm.rstd = results.rstd->values;
        struct norm_rows job;
        if (kernel_takes(&job, layer, x, options)) {
            job.y = results.y->values;
            job.mean = norm.mean;
            job.var = norm.var;
            job.rstd = norm.rstd;
            norm_rows_forward(&job);
            status = 0;
        } else {
            status = rows_each(results.y, x, options->axes, visit, &norm, err);
        }
    }
    factor_close(&norm.scale, x);
    factor_close(&norm.bias, x);
    if (status < 0) {
        norm_results_free(&results);
        return -1;
    }
    return record_norm(out, &results, layer, x, options, err);
}

int layer_norm(struct tensor_norm *out, const struct tensor *x, const struct tensor_norm_options *options,
               struct error *err)
{
    return normalize(out, x, options, true, layer_row, err);
}

int rms_norm(struct tensor_norm *out, const struct tensor *x, const struct tensor_norm_options *options,
             struct error *err)
{
    return normalize(out, x, options, false, rms_row, err);
}
