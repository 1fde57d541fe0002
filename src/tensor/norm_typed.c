#include "tensor/norm_typed.h"

#include "tensor/broadcast.h"
#include "tensor/element.h"
#include "tensor/norm.h"
#include "tensor/rows.h"

#include <math.h>

/* A tensor read or written along x's rows, element by element. */
struct along {
    const struct tensor *tensor; /* NULL: none */
    struct rows rows;
};

struct walk {
    const struct loop *within;
    struct loop_place place; /* of a run; `at` is within it */
    size_t at;
    ptrdiff_t base;
};

struct norm {
    struct along scale, bias;
    struct tensor *y, *mean, *var, *rstd;
    struct rows rows; /* of y */
    double eps;
    const struct tensor_steps *steps;
};

static int along_open(struct along *along, const char *role, const struct tensor *tensor,
                      const struct tensor *x, tensor_axes axes, struct error *err)
{
    ptrdiff_t strides[TENSOR_RANK_MAX];
    along->tensor = tensor;
    if (!tensor)
        return 0;
    if (broadcast_into(strides, tensor, x, role, err) < 0)
        return -1;
    rows_of(&along->rows, x, strides, axes);
    return 0;
}

static struct walk walk_row(const struct rows *rows, size_t row)
{
    return (struct walk){.within = &rows->within, .base = loop_offset(&rows->kept, row, 0)};
}

static struct walk walk_along(const struct along *along, size_t row)
{
    return along->tensor ? walk_row(&along->rows, row) : (struct walk){.within = NULL};
}

static ptrdiff_t walk_next(struct walk *walk)
{
    const ptrdiff_t offset =
        walk->base + walk->place.offset[0] + (ptrdiff_t)walk->at * loop_run_stride(walk->within, 0);
    if (++walk->at == loop_run(walk->within)) {
        walk->at = 0;
        loop_next(walk->within, &walk->place);
    }
    return offset;
}

static double along_next(const struct along *along, struct walk *walk, double otherwise)
{
    return along->tensor ? element_at(along->tensor, walk_next(walk)) : otherwise;
}

static void keep(const struct norm *norm, size_t row, double mean, double var, double rstd)
{
    if (norm->mean)
        element_put(norm->mean, (ptrdiff_t)row, mean);
    element_put(norm->var, (ptrdiff_t)row, var);
    element_put(norm->rstd, (ptrdiff_t)row, rstd);
}

/* y = (x - mean) * rstd * scale + bias, the mean being shift + rest, in double. */
static void write_row(const struct norm *norm, size_t row, const float *x, size_t n, double shift,
                      double rest, double rstd)
{
    struct walk y = walk_row(&norm->rows, row), s = walk_along(&norm->scale, row),
                b = walk_along(&norm->bias, row);
    for (size_t i = 0; i < n; i++) {
        const double scale = along_next(&norm->scale, &s, 1), bias = along_next(&norm->bias, &b, 0);
        element_put(norm->y, walk_next(&y), (((double)x[i] - shift) - rest) * rstd * scale + bias);
    }
}

static void layer_row(void *context, size_t lane, size_t row, float *none, const float *x, size_t n)
{
    (void)lane;
    (void)none;
    const struct norm *norm = context;
    const struct row_moments moments = row_moments(x, n);
    const double var = moments.squares / (double)n, rstd = 1 / sqrt(var + norm->eps);
    keep(norm, row, moments.shift + moments.rest, var, rstd);
    write_row(norm, row, x, n, moments.shift, moments.rest, rstd);
}

static void rms_row(void *context, size_t lane, size_t row, float *none, const float *x, size_t n)
{
    (void)lane;
    (void)none;
    const struct norm *norm = context;
    const double mean_square = row_square_sum(x, n) / (double)n;
    /* Only an infinity makes the mean of squares infinite; the finite elements would come out as 0. */
    const double rstd = isinf(mean_square) ? (double)NAN : 1 / sqrt(mean_square + norm->eps);
    keep(norm, row, 0, mean_square, rstd);
    write_row(norm, row, x, n, 0, 0, rstd);
}

static void write_row_steps(const struct norm *norm, size_t row, const float *x, size_t n, double mean,
                            double var)
{
    const enum tensor_type type = norm->steps->type;
    const double root = tensor_round(sqrt(tensor_round(var + tensor_round(norm->eps, type), type)), type);
    const double rstd = tensor_round(1 / root, type);
    keep(norm, row, mean, var, rstd);
    struct walk y = walk_row(&norm->rows, row), s = walk_along(&norm->scale, row),
                b = walk_along(&norm->bias, row);
    for (size_t i = 0; i < n; i++) {
        const double scale = tensor_round(along_next(&norm->scale, &s, 1), type);
        const double bias = tensor_round(along_next(&norm->bias, &b, 0), type);
        const double centred = tensor_round(tensor_round((double)x[i], type) - mean, type);
        const double scaled = tensor_round(tensor_round(centred * rstd, type) * scale, type);
        element_put(norm->y, walk_next(&y), tensor_round(scaled + bias, type));
    }
}

static void layer_row_steps(void *context, size_t lane, size_t row, float *none, const float *x, size_t n)
{
    (void)lane;
    (void)none;
    const struct norm *norm = context;
    const struct step_moments moments = steps_moments(x, n, norm->steps, false);
    write_row_steps(norm, row, x, n, moments.mean, moments.var);
}

static void rms_row_steps(void *context, size_t lane, size_t row, float *none, const float *x, size_t n)
{
    (void)lane;
    (void)none;
    const struct norm *norm = context;
    write_row_steps(norm, row, x, n, 0, steps_mean_square(x, n, norm->steps->type));
}

bool norm_is_typed(const struct tensor *x, const struct tensor_norm_options *options)
{
    const struct tensor *scale = options->scale, *bias = options->bias;
    return options->steps || x->type != TENSOR_FLOAT32 || (scale && scale->type != TENSOR_FLOAT32) ||
           (bias && bias->type != TENSOR_FLOAT32);
}

int norm_typed(struct tensor_norm *out, const struct tensor *x, const struct tensor_norm_options *options,
               bool rms, struct error *err)
{
    static row_visit *const visits[2][2] = {{layer_row, layer_row_steps}, {rms_row, rms_row_steps}};
    struct norm norm = {.eps = options->eps, .steps = options->steps};
    if (along_open(&norm.scale, "scale", options->scale, x, options->axes, err) < 0 ||
        along_open(&norm.bias, "bias", options->bias, x, options->axes, err) < 0)
        return -1;
    struct tensor_norm results = {.y = NULL};
    int status = norm_results_new(&results, x, options, !rms, err);
    if (status == 0) {
        norm.y = results.y;
        norm.mean = results.mean;
        norm.var = results.var;
        norm.rstd = results.rstd;
        rows_of(&norm.rows, norm.y, norm.y->stride, options->axes);
        status = rows_each(NULL, x, options->axes, visits[rms][norm.steps != NULL], &norm, err);
    }
    if (status == 0) {
        *out = results;
        return 0;
    }
    norm_results_free(&results);
    return -1;
}
