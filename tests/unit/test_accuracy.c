/* The table of accuracy: the largest error of the norms against long double, row by row of the table, those
   that break other libraries included. Forward in units in the last place of max(1, |y|); backward in 2^-24
   of the largest element. Each is computed as tensors in memory order, as tensors across it, and on plain
   memory. */
#include "tensor_help.h"

#include <stdio.h>
#include <stdlib.h>

/* `best`: of PyTorch 1.13, oneDNN 2.6 and 3, ggml, ONNX Runtime, llm.c and NumPy, where any is finite. None
   may be better by more than SLACK. */
static const double MOST_FORWARD = 2.5, SLACK = 0.5, MOST_BACKWARD = 8;

enum distribution { NORMAL, UNIFORM, COUNTING, CONSTANT, OUTLIER };
static const struct row_kind {
    const char *name;
    size_t rows, features;
    enum distribution distribution;
    double centre, spread, eps, best;
} kinds[] = {
    {"N(0,1)", 64, 768, NORMAL, 0, 1, 1e-5, 1.5},
    {"262,144 features", 3, 262144, NORMAL, 0, 1, 1e-5, 1.1},
    {"one feature", 64, 1, NORMAL, 0, 1, 1e-5, 0},
    {"two features", 512, 2, NORMAL, 0, 1, 1e-5, 7.4},
    {"mean 100, deviation 1", 64, 768, NORMAL, 100, 1, 1e-5, 32},
    {"mean 1e4, deviation 1e-2", 64, 768, NORMAL, 1e4, 1e-2, 1e-5, 4e5},
    {"mean 1e6, deviation 1", 64, 768, NORMAL, 1e6, 1, 1e-5, 3e5},
    {"[40000..40003]", 1, 4, COUNTING, 40000, 1, 1e-5, 0.3},
    {"1e30 N(0,1)", 64, 768, NORMAL, 0, 1e30, 1e-5, 8e6},
    {"3e38 U(-1,1)", 64, 768, UNIFORM, 0, 3e38, 1e-5, INFINITY},
    {"1e-25, eps 0", 64, 768, NORMAL, 0, 1e-25, 0, INFINITY},
    {"constant 14", 64, 768, CONSTANT, 14, 0, 1e-5, 0},
    {"constant 1234", 64, 768, CONSTANT, 1234, 0, 1e-5, 0},
    {"one feature of -3e3", 64, 768, OUTLIER, 0, 1, 1e-5, 1.3},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- data ---- */

struct data {
    const struct row_kind *kind;
    bool rms;
    struct tensor *x, *dy, *scale;
    long double *y, *dx, *dscale, *dbias; /* the right ones; y without scale */
};

static double element(const struct row_kind *kind, struct random_stream *random, size_t feature)
{
    switch (kind->distribution) {
    case NORMAL:
        return kind->centre + kind->spread * random_normal(random);
    case UNIFORM:
        return kind->spread * (2 * random_uniform(random) - 1);
    case COUNTING:
        return kind->centre + (double)feature;
    case CONSTANT:
        return kind->centre;
    case OUTLIER:
        return feature == 300 ? -3e3 : random_normal(random);
    }
    return 0;
}

static long double *numbers(size_t count)
{
    long double *block = calloc(count, sizeof *block);
    assert_non_null(block);
    return block;
}

static void right_row(struct data *data, size_t row)
{
    const size_t n = data->kind->features;
    long double mean = 0, rest = 0, squares = 0, plain = 0, along = 0;
    long double x[8], *xs = n <= 8 ? x : numbers(n);
    for (size_t i = 0; i < n; i++)
        mean += xs[i] = (long double)tensor_get_flat(data->x, row * n + i);
    mean = data->rms ? 0 : mean / (long double)n;
    for (size_t i = 0; i < n && !data->rms; i++)
        rest += xs[i] - mean;
    mean += rest / (long double)n;
    for (size_t i = 0; i < n; i++)
        squares += (xs[i] - mean) * (xs[i] - mean);
    const long double rstd = 1 / sqrtl(squares / (long double)n + (long double)data->kind->eps);
    for (size_t i = 0; i < n; i++) {
        const long double y = (xs[i] - mean) * rstd, dy = (long double)tensor_get_flat(data->dy, row * n + i);
        const long double ds = dy * (long double)tensor_get_flat(data->scale, i);
        data->y[row * n + i] = y;
        data->dscale[i] += dy * y;
        data->dbias[i] += dy;
        plain += ds;
        along += ds * y;
    }
    plain = data->rms ? 0 : plain / (long double)n;
    along /= (long double)n;
    for (size_t i = 0; i < n; i++) {
        const long double ds = (long double)tensor_get_flat(data->dy, row * n + i) *
                               (long double)tensor_get_flat(data->scale, i);
        data->dx[row * n + i] = rstd * (ds - plain - data->y[row * n + i] * along);
    }
    if (xs != x)
        free(xs);
}

static void data_open(struct data *data, const struct row_kind *kind, bool rms)
{
    const size_t n = kind->features;
    struct random_stream random;
    random_start(&random, (uint64_t)kind->features, (uint64_t)kind->rows);
    *data = (struct data){.kind = kind, .rms = rms, .x = zeros(EXTENTS(kind->rows, n))};
    for (size_t i = 0; i < kind->rows * n; i++)
        tensor_set_flat(data->x, i, element(kind, &random, i % n));
    data->dy = normals(EXTENTS(kind->rows, n), 1, 0, 1);
    data->scale = normals(EXTENTS(n), 2, 1, 0.2);
    data->y = numbers(kind->rows * n);
    data->dx = numbers(kind->rows * n);
    data->dscale = numbers(n);
    data->dbias = numbers(n);
    for (size_t row = 0; row < kind->rows; row++)
        right_row(data, row);
}

static void data_close(struct data *data)
{
    tensor_free(data->x);
    tensor_free(data->dy);
    tensor_free(data->scale);
    free(data->y);
    free(data->dx);
    free(data->dscale);
    free(data->dbias);
}

static float *floats(const struct tensor *x, size_t count)
{
    float *block = calloc(count ? count : 1, sizeof *block);
    assert_non_null(block);
    for (size_t i = 0; x && i < count; i++)
        block[i] = tensor_get_flat(x, i);
    return block;
}

/* The same elements, rows lying across memory: (feature, token) there. */
static struct tensor *across(const struct tensor *x)
{
    struct tensor *turned = NULL, *copy = NULL, *back = NULL;
    ok(tensor_transpose(&turned, x, 0, 1, err));
    ok(tensor_copy(&copy, turned, err));
    ok(tensor_transpose(&back, copy, 0, 1, err));
    tensor_free(turned);
    tensor_free(copy);
    return back;
}

/* ---- forward ---- */

static double forward_error(const struct data *data, const float *y)
{
    double worst = 0;
    for (size_t i = 0; i < tensor_count(data->x); i++)
        worst = fmax(worst, ulps(y[i], data->y[i], 1));
    return worst;
}

static double forward_of(const struct data *data, const struct tensor *x)
{
    struct tensor_norm out;
    const struct tensor_norm_options options = {.axes = 2, .eps = data->kind->eps};
    ok((data->rms ? rms_norm : layer_norm)(&out, x, &options, err));
    float *y = floats(out.y, tensor_count(x));
    const double error = forward_error(data, y);
    free_norm(&out);
    free(y);
    return error;
}

static struct norm_rows job_of(const struct data *data, const float *x, float *y)
{
    return (struct norm_rows){.rms = data->rms,
                              .rows = data->kind->rows,
                              .features = data->kind->features,
                              .eps = data->kind->eps,
                              .x = x,
                              .y = y};
}

static double forward_on_memory(const struct data *data)
{
    float *x = floats(data->x, tensor_count(data->x)), *y = floats(NULL, tensor_count(data->x));
    const struct norm_rows job = job_of(data, x, y);
    norm_rows_forward(&job);
    const double error = forward_error(data, y);
    free(x);
    free(y);
    return error;
}

static int too_many; /* errors of more than may be, so that the whole table is seen before the test fails */

static void within(const struct row_kind *kind, const char *what, double error, double most)
{
    if (error <= most)
        return;
    print_message("# %s, %s: %.2f units, and %.2f are the most\n", kind->name, what, error, most);
    too_many++;
}

static void forward(bool rms)
{
    too_many = 0;
    print_message("# %-26s %8s %8s %8s\n", rms ? "RMS norm" : "layer norm", "tensor", "across", "memory");
    for (const struct row_kind *kind = kinds; kind < kinds + KINDS; kind++) {
        struct data data;
        data_open(&data, kind, rms);
        struct tensor *turned = across(data.x);
        const double tensors = forward_of(&data, data.x), lying = forward_of(&data, turned),
                     memory = forward_on_memory(&data);
        const double most = rms ? MOST_FORWARD : fmin(MOST_FORWARD, kind->best + SLACK);
        print_message("# %-26s %8.2f %8.2f %8.2f\n", kind->name, tensors, lying, memory);
        tensor_free(turned);
        data_close(&data);
        within(kind, "tensors", tensors, most);
        within(kind, "tensors across memory", lying, most);
        within(kind, "plain memory", memory, most);
    }
}

static void layer_norm_is_as_accurate_as_the_table_says(void **state)
{
    (void)state;
    forward(false);
    assert_int_equal(too_many, 0);
}

static void rms_norm_is_as_accurate_as_the_table_says(void **state)
{
    (void)state;
    forward(true);
    assert_int_equal(too_many, 0);
}

/* ---- backward ---- */

struct errors {
    double dx, dscale, dbias;
};

/* In 2^-24 of the largest element. */
static double relative(const float *got, const long double *want, size_t count)
{
    long double largest = 0, worst = 0;
    for (size_t i = 0; i < count; i++) {
        const long double error = fabsl((long double)got[i] - want[i]);
        largest = fmaxl(largest, fabsl(want[i]));
        worst = isnan(error) ? (long double)INFINITY : fmaxl(worst, error);
    }
    return (double)(largest > 0 ? worst / (largest * 0x1p-24L) : worst > 0 ? (long double)INFINITY : 0);
}

static struct errors errors_of(const struct data *data, const float *dx, const float *dscale,
                               const float *dbias)
{
    const size_t n = data->kind->features;
    return (struct errors){relative(dx, data->dx, data->kind->rows * n), relative(dscale, data->dscale, n),
                           relative(dbias, data->dbias, n)};
}

static struct errors backward_of(const struct data *data, const struct tensor *x, const struct tensor *dy)
{
    const size_t n = data->kind->features;
    struct tensor *bias = zeros(EXTENTS(n));
    struct tensor_norm_gradients out;
    const struct tensor_norm_options options = {
        .axes = 2, .eps = data->kind->eps, .scale = data->scale, .bias = bias};
    ok((data->rms ? rms_norm_backward : layer_norm_backward)(&out, dy, x, &options, err));
    float *dx = floats(out.dx, tensor_count(x)), *dscale = floats(out.dscale, n),
          *dbias = floats(out.dbias, n);
    const struct errors errors = errors_of(data, dx, dscale, dbias);
    free(dx);
    free(dscale);
    free(dbias);
    tensor_free(bias);
    tensor_free(out.dx);
    tensor_free(out.dscale);
    tensor_free(out.dbias);
    return errors;
}

static struct errors backward_on_memory(const struct data *data)
{
    const size_t rows = data->kind->rows, n = data->kind->features, count = rows * n;
    float *x = floats(data->x, count), *y = floats(NULL, count), *dy = floats(data->dy, count),
          *scale = floats(data->scale, n);
    float *kept = floats(NULL, 3 * rows), *dx = floats(NULL, count), *dscale = floats(NULL, n),
          *dbias = floats(NULL, n);
    float *scratch = floats(NULL, norm_rows_scratch(rows, n));
    struct norm_rows job = job_of(data, x, y);
    job.scale = scale;
    job.kept = kept;
    norm_rows_forward(&job);
    norm_rows_backward(&(struct norm_rows_backward){.rms = data->rms,
                                                    .rows = rows,
                                                    .features = n,
                                                    .eps = data->kind->eps,
                                                    .dy = dy,
                                                    .x = x,
                                                    .scale = scale,
                                                    .kept = kept,
                                                    .dx = dx,
                                                    .dscale = dscale,
                                                    .dbias = dbias,
                                                    .scratch = scratch});
    const struct errors errors = errors_of(data, dx, dscale, dbias);
    float *const blocks[] = {x, y, dy, scale, kept, dx, dscale, dbias, scratch};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free(blocks[i]);
    return errors;
}

static void all_within(const struct row_kind *kind, const char *what, struct errors errors)
{
    char words[64];
    const double each[] = {errors.dx, errors.dscale, errors.dbias};
    for (int i = 0; i < 3; i++) {
        snprintf(words, sizeof words, "%s of %s", (const char *const[]){"dx", "dscale", "dbias"}[i], what);
        within(kind, words, each[i], MOST_BACKWARD);
    }
}

static void backward_kind(const struct row_kind *kind, bool rms)
{
    struct data data;
    data_open(&data, kind, rms);
    struct tensor *x = across(data.x), *dy = across(data.dy);
    const struct errors all[] = {backward_of(&data, data.x, data.dy), backward_of(&data, x, dy),
                                 backward_on_memory(&data)};
    print_message("# %-26s", kind->name);
    for (int i = 0; i < 3; i++)
        print_message("  %5.2f %5.2f %5.2f", all[i].dx, all[i].dscale, all[i].dbias);
    print_message("\n");
    tensor_free(x);
    tensor_free(dy);
    data_close(&data);
    all_within(kind, "tensors", all[0]);
    all_within(kind, "tensors across memory", all[1]);
    all_within(kind, "plain memory", all[2]);
}

static void backward(bool rms)
{
    too_many = 0;
    static const struct row_kind many = {"65,536 rows", 65536, 24, NORMAL, 0, 1, 1e-5, 0};
    print_message("# %-26s %18s %18s %18s\n", rms ? "RMS norm backward" : "layer norm backward",
                  "tensor dx ds db", "across", "memory");
    for (const struct row_kind *kind = kinds; kind < kinds + KINDS; kind++)
        backward_kind(kind, rms);
    backward_kind(&many, rms);
}

static void layer_norm_s_gradients_are_as_accurate(void **state)
{
    (void)state;
    backward(false);
    assert_int_equal(too_many, 0);
}

static void rms_norm_s_gradients_are_as_accurate(void **state)
{
    (void)state;
    backward(true);
    assert_int_equal(too_many, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layer_norm_is_as_accurate_as_the_table_says),
        cmocka_unit_test(rms_norm_is_as_accurate_as_the_table_says),
        cmocka_unit_test(layer_norm_s_gradients_are_as_accurate),
        cmocka_unit_test(rms_norm_s_gradients_are_as_accurate),
    };
    return cmocka_run_group_tests_name("tensor: accuracy", tests, NULL, NULL);
}
