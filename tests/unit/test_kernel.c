/* The kernels: that every path gives the same bits, alone or among others, and how exact they are. */
#include "tensor/kernel.h"
#include "tensor_help.h"

#include <stdio.h>
#include <stdlib.h>

enum { WIDTHS = 82, MARGIN = 8 /* floats */ };

static float *floats(size_t count)
{
    float *values = calloc(count + MARGIN, sizeof *values);
    assert_non_null(values);
    return values;
}

static float *draw(size_t count, uint64_t stream, double deviation, double mean)
{
    struct random_stream random;
    random_start(&random, 11, stream);
    float *values = floats(count);
    for (size_t i = 0; i < count; i++)
        values[i] = (float)(random_normal(&random) * deviation + mean);
    return values;
}

/* 1 … 70, and sizes at which something changes. */
static size_t width(size_t i)
{
    static const size_t others[] = {255, 256, 257, 511, 512, 513, 768, 1024, 2047, 2049, 4096, 4099};
    return i < 70 ? i + 1 : others[i - 70];
}

static void same_bits(const float *a, const float *b, size_t count, const char *what, size_t features)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            fail_msg("%s of %zu features: element %zu is %a, not %a", what, features, i, (double)a[i],
                     (double)b[i]);
}

/* ---- one norm and its way back ---- */

struct run {
    struct norm_rows forward;
    struct norm_rows_backward backward;
    float *results[10]; /* all that is written */
    size_t sizes[10];
};

static void run_open(struct run *run, const struct norm_rows *job, const float *dy, const float *dsum)
{
    const size_t rows = job->rows, n = job->features, count = rows * n;
    const size_t sizes[10] = {count,    count, rows, rows, rows,
                              3 * rows, count, n,    n,    norm_rows_scratch(rows, n)};
    for (int i = 0; i < 10; i++)
        run->results[i] = floats(run->sizes[i] = sizes[i]);
    float **r = run->results;
    run->forward = *job;
    run->forward.y = r[0];
    run->forward.sum = r[1];
    run->forward.mean = r[2];
    run->forward.var = r[3];
    run->forward.rstd = r[4];
    run->forward.kept = r[5];
    run->backward = (struct norm_rows_backward){
        .rms = job->rms,
        .rows = rows,
        .features = n,
        .eps = job->eps,
        .dy = dy,
        .x = job->residual ? r[1] : job->x,
        .scale = job->scale,
        .dsum = dsum,
        .kept = r[5],
        .dx = r[6],
        .dscale = r[7],
        .dbias = r[8],
        .scratch = r[9],
    };
}

static void run_by(struct run *run, const struct kernel_path *path)
{
    kernel_forward(path, &run->forward);
    kernel_backward(path, &run->backward);
}

static void run_close(struct run *run)
{
    for (int i = 0; i < 10; i++)
        free(run->results[i]);
}

/* But for the scratch. */
static void same_run(const struct run *a, const struct run *b, const char *what)
{
    static const char *const parts[] = {"y", "sum", "mean", "var", "rstd", "kept", "dx", "dscale", "dbias"};
    char words[80];
    for (int i = 0; i < 9; i++) {
        snprintf(words, sizeof words, "%s (%s): %s", what, a->forward.rms ? "rms" : "layer", parts[i]);
        same_bits(a->results[i], b->results[i], a->sizes[i], words, a->forward.features);
    }
}

static const struct kernel_path *plain(void)
{
    return kernel_paths[KERNEL_PATHS - 1];
}

/* ---- the same bits ---- */

/* Some rows that have to be summed again, or computed in double. */
static void make_awkward(float *x, size_t rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        x[(rows > 1 ? 1 : 0) * n + i] += 1e4f;
        x[(rows > 2 ? 2 : 0) * n + i] *= 1e30f;
        x[(rows > 5 ? 5 : 3 % rows) * n + i] = 14;
    }
    if (rows > 7)
        x[7 * n + n / 2] = NAN;
    if (rows > 8)
        x[8 * n] = -3e3f;
    if (rows > 9)
        x[9 * n + n / 3] = INFINITY;
}

static void every_path_gives_the_same_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < WIDTHS; i++)
        for (unsigned with = 0; with < 8; with++) {
            const size_t n = width(i), rows = 1 + (i * 7 + with) % 14;
            /* Rows that begin anywhere. */
            float *x = draw(rows * n + 1, n, 1, 0.3), *residual = draw(rows * n + 3, n + 1, 1, 0);
            float *dy = draw(rows * n + 2, n + 2, 1, 0), *dsum = draw(rows * n, n + 3, 1, 0);
            float *scale = draw(n, n + 4, 0.3, 1), *bias = draw(n, n + 5, 0.3, 0);
            make_awkward(x + 1, rows, n);
            const struct norm_rows job = {
                .rms = with & 1,
                .rows = rows,
                .features = n,
                .eps = 1e-5,
                .x = x + 1,
                .residual = with & 2 ? residual + 3 : NULL,
                .scale = with & 4 ? scale : NULL,
                .bias = with & 4 || i % 2 ? bias : NULL,
            };
            struct run reference, other;
            run_open(&reference, &job, dy + 2, with & 2 ? dsum : NULL);
            run_by(&reference, plain());
            for (int p = 0; p < KERNEL_PATHS - 1; p++) {
                if (!kernel_paths[p]->runs_here())
                    continue;
                run_open(&other, &job, dy + 2, with & 2 ? dsum : NULL);
                run_by(&other, kernel_paths[p]);
                same_run(&other, &reference, kernel_paths[p]->name);
                run_close(&other);
            }
            run_close(&reference);
            free(x), free(residual), free(dy), free(dsum), free(scale), free(bias);
        }
}

static void a_row_is_the_same_alone_and_among_others(void **state)
{
    (void)state;
    const size_t widths[] = {37, 64, 256, 768, 1024, 4096, 16384};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        /* Enough of them to be streamed; their memory begins where vectors do. */
        const size_t n = widths[i], rows = (1 << 19) / n + 3;
        float *x = draw(rows * n, n, 1, 0.3), *residual = draw(rows * n, n + 1, 1, 0);
        float *y = aligned_alloc(64, (rows * n * sizeof *y + 63) / 64 * 64);
        float *sum = aligned_alloc(64, (rows * n * sizeof *sum + 63) / 64 * 64);
        float *alone = floats(n), *alone_sum = floats(n);
        assert_true(y && sum);
        make_awkward(x, rows, n);
        for (unsigned with = 0; with < 4; with++) {
            const struct norm_rows all = {.rms = with & 1,
                                          .rows = rows,
                                          .features = n,
                                          .eps = 1e-5,
                                          .x = x,
                                          .y = y,
                                          .sum = sum,
                                          .residual = with & 2 ? residual : NULL};
            norm_rows_forward(&all);
            for (size_t row = 0; row < rows; row += row < 12 ? 1 : rows / 7 + 1) {
                struct norm_rows one = all;
                one.rows = 1;
                one.x += row * n;
                one.residual = with & 2 ? residual + row * n : NULL;
                one.y = alone;
                one.sum = alone_sum;
                norm_rows_forward(&one);
                same_bits(alone, y + row * n, n, "a row alone", n);
                if (with & 2)
                    same_bits(alone_sum, sum + row * n, n, "its sum", n);
            }
        }
        free(x), free(residual), free(y), free(sum), free(alone), free(alone_sum);
    }
}

static void threads_change_nothing(void **state)
{
    (void)state;
    const size_t shapes[][2] = {{700, 96}, {513, 768}, {40, 4096}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (unsigned rms = 0; rms < 2; rms++) {
            const size_t rows = shapes[i][0], n = shapes[i][1];
            float *x = draw(rows * n, n, 1, 0), *dy = draw(rows * n, n + 1, 1, 0);
            make_awkward(x, rows, n);
            const struct norm_rows job = {.rms = rms, .rows = rows, .features = n, .eps = 1e-5, .x = x};
            struct run one, several;
            run_open(&one, &job, dy, NULL);
            run_by(&one, kernel_path());
            ok(tensor_threads_start(3, err));
            run_open(&several, &job, dy, NULL);
            run_by(&several, kernel_path());
            tensor_threads_stop();
            same_run(&several, &one, "three threads");
            run_close(&one);
            run_close(&several);
            free(x), free(dy);
        }
}

/* ---- against float64 ---- */

struct exact {
    double mean, rstd; /* mean: 0 in RMS norm */
};

static struct exact exact_row(const float *x, size_t n, double eps, bool rms)
{
    long double sum = 0, squares = 0;
    for (size_t i = 0; i < n && !rms; i++)
        sum += (long double)x[i];
    const long double mean = sum / (long double)n;
    for (size_t i = 0; i < n; i++)
        squares += ((long double)x[i] - mean) * ((long double)x[i] - mean);
    return (struct exact){(double)mean, (double)(1 / sqrtl(squares / (long double)n + (long double)eps))};
}

/* Units in the last place of max(1, |y|); infinity when one of them is no number. */
static double units(float got, double want)
{
    const double large = fabs(want) > 1 ? fabs(want) : 1, off = fabs((double)got - want);
    return isfinite(off) ? off / ldexp(1, ilogb(large) - 23) : INFINITY;
}

static double worst(bool rms, const float *x, size_t rows, size_t n, double eps)
{
    float *y = floats(rows * n);
    const struct norm_rows job = {.rms = rms, .rows = rows, .features = n, .eps = eps, .x = x, .y = y};
    double most = 0;
    norm_rows_forward(&job);
    for (size_t row = 0; row < rows; row++) {
        const struct exact exact = exact_row(x + row * n, n, eps, rms);
        for (size_t i = row * n; i < (row + 1) * n; i++) {
            const double off = units(y[i], ((double)x[i] - exact.mean) * exact.rstd);
            most = off > most ? off : most;
        }
    }
    free(y);
    return most;
}

static void every_width_is_exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < WIDTHS; i++)
        for (unsigned rms = 0; rms < 2; rms++) {
            const size_t n = width(i);
            float *near = draw(9 * n, n, 1, 0.1), *far = draw(9 * n, n, 1, 100);
            const double off[2] = {worst(rms, near, 9, n, 1e-5), worst(rms, far, 9, n, 1e-5)};
            if (off[0] > 2.5 || off[1] > 2.5)
                fail_msg("%zu features: %.2f and %.2f units off", n, off[0], off[1]);
            free(near), free(far);
        }
}

struct row_kind {
    const char *name;
    size_t features;
    double deviation, mean, eps;
    float first; /* of each row, unless 0 */
};

static void awkward_rows_are_exact(void **state)
{
    (void)state;
    static const struct row_kind kinds[] = {
        {"N(0,1)", 768, 1, 0, 1e-5, 0},        {"262144 features", 262144, 1, 0, 1e-5, 0},
        {"one feature", 1, 1, 0, 1e-5, 0},     {"two features", 2, 1, 0, 1e-5, 0},
        {"mean 100", 768, 1, 100, 1e-5, 0},    {"mean 1e4, deviation 1e-2", 768, 1e-2, 1e4, 1e-5, 0},
        {"mean 1e6", 768, 1, 1e6, 1e-5, 0},    {"1e30", 768, 1e30, 0, 1e-5, 0},
        {"1e19", 768, 1e19, 0, 1e-5, 0},       {"largest", 768, 6e37, 0, 1e-5, 3e38f},
        {"1e-25, eps 0", 768, 1e-25, 0, 0, 0}, {"one feature of -3e3", 768, 1, 0, 1e-5, -3e3f},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (unsigned rms = 0; rms < 2; rms++) {
            const struct row_kind *kind = &kinds[k];
            const size_t n = kind->features, rows = n > 1000 ? 2 : 24;
            float *x = draw(rows * n, k, kind->deviation, kind->mean);
            for (size_t row = 0; row < rows && kind->first != 0; row++)
                x[row * n + row * 31 % n] = kind->first;
            const double off = worst(rms, x, rows, n, kind->eps);
            if (!(off <= 2.5))
                fail_msg("%s (%s): %.2f units off", kind->name, rms ? "rms" : "layer", off);
            free(x);
        }
}

static void four_near_values_are_told_apart(void **state)
{
    (void)state;
    float x[768];
    for (size_t i = 0; i < 768; i++)
        x[i] = (float)(40000 + i % 4);
    assert_true(worst(false, x, 1, 768, 1e-5) < 1);
}

static void a_constant_row_gives_exactly_the_bias(void **state)
{
    (void)state;
    static const float values[] = {14, 1234, 0.1f, -3e-5f, 1e30f, 3e38f, 1e-40f, 0};
    for (size_t i = 0; i < WIDTHS; i++)
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            const size_t n = width(i);
            float *x = floats(n), *y = floats(n), *bias = draw(n, 1, 1, 0), *scale = draw(n, 2, 1, 0);
            for (size_t j = 0; j < n; j++)
                x[j] = values[k];
            struct norm_rows job = {
                .rows = 1, .features = n, .eps = 1e-5, .x = x, .y = y, .scale = scale, .bias = bias};
            norm_rows_forward(&job);
            same_bits(y, bias, n, "a constant row", n);
            job.eps = 0;
            norm_rows_forward(&job);
            for (size_t j = 0; j < n; j++)
                assert_true(isnan(y[j]));
            free(x), free(y), free(bias), free(scale);
        }
}

static void nan_and_infinity_stay_in_their_row(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < WIDTHS; i++)
        for (size_t k = 0; k < 6; k++) {
            const size_t n = width(i);
            float *x = draw(5 * n, n, 1, 0), *y = floats(5 * n);
            x[2 * n + (i * 5 + k) % n] = bad[k % 3];
            const struct norm_rows job = {
                .rms = k > 2, .rows = 5, .features = n, .eps = 1e-5, .x = x, .y = y};
            norm_rows_forward(&job);
            for (size_t j = 0; j < 5 * n; j++)
                assert_int_equal(isnan(y[j]) != 0, j / n == 2);
            free(x), free(y);
        }
}

/* ---- the way back ---- */

/* Of gradients that begin at `got`, in 2^-24 of the largest. */
static double off_by(const float *got, const double *want, size_t count)
{
    double most = 0, off = 0;
    for (size_t i = 0; i < count; i++) {
        most = fabs(want[i]) > most ? fabs(want[i]) : most;
        const double d = fabs((double)got[i] - want[i]);
        off = d <= off ? off : isnan(d) ? INFINITY : d;
    }
    return most > 0 ? off / most * 0x1p24 : off;
}

static void check_backward(bool rms, size_t rows, size_t n, double deviation, double mean, bool with_residual)
{
    float *x = draw(rows * n, n, deviation, mean), *dy = draw(rows * n, n + 1, 1, 0);
    float *scale = draw(n, n + 2, 0.3, 1), *residual = draw(rows * n, n + 3, deviation, 0);
    float *dsum = draw(rows * n, n + 4, 1, 0);
    double *dx = calloc(n, sizeof *dx), *dscale = calloc(n, sizeof *dscale),
           *dbias = calloc(n, sizeof *dbias);
    const struct norm_rows job = {.rms = rms,
                                  .rows = rows,
                                  .features = n,
                                  .eps = 1e-5,
                                  .x = x,
                                  .scale = scale,
                                  .residual = with_residual ? residual : NULL};
    struct run run;
    assert_true(dx && dscale && dbias);
    run_open(&run, &job, dy, with_residual ? dsum : NULL);
    run_by(&run, kernel_path());
    for (size_t row = 0; row < rows; row++) {
        const float *from = run.backward.x + row * n;
        const struct exact exact = exact_row(from, n, 1e-5, rms);
        double sum = 0, product = 0;
        for (size_t i = 0; i < n; i++) {
            const double d = (double)dy[row * n + i], z = ((double)from[i] - exact.mean) * exact.rstd;
            sum += d * (double)scale[i];
            product += d * (double)scale[i] * z;
            dscale[i] += d * z;
            dbias[i] += d;
        }
        for (size_t i = 0; i < n; i++) {
            const double z = ((double)from[i] - exact.mean) * exact.rstd, count = (double)n;
            dx[i] = exact.rstd * ((double)dy[row * n + i] * (double)scale[i] - (rms ? 0 : sum / count) -
                                  z * product / count) +
                    (with_residual ? (double)dsum[row * n + i] : 0);
        }
        const double off = off_by(run.backward.dx + row * n, dx, n);
        /* With one or two features the terms of dx cancel: what is left is their rounding. */
        if (n > 4 && !(off <= 8))
            fail_msg("dx of %zu features: %.2f off", n, off);
    }
    const double off[2] = {off_by(run.backward.dscale, dscale, n), off_by(run.backward.dbias, dbias, n)};
    if (n > 4 && !(off[0] <= 8 && off[1] <= 8))
        fail_msg("dscale and dbias of %zu rows of %zu features: %.2f and %.2f off", rows, n, off[0], off[1]);
    run_close(&run);
    free(x), free(dy), free(scale), free(residual), free(dsum), free(dx), free(dscale), free(dbias);
}

static void the_way_back_is_exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < WIDTHS; i++)
        for (unsigned with = 0; with < 4; with++)
            check_backward(with & 1, 1 + (i + with) % 9, width(i), 1, 0.2, with & 2);
    for (unsigned rms = 0; rms < 2; rms++) {
        check_backward(rms, 66, 768, 1e-2, 1e4, false);
        check_backward(rms, 66, 768, 1e30, 0, false);
        check_backward(rms, 66, 768, 1, 1e6, false);
        check_backward(rms, 65536, 64, 1, 0, false);
    }
}

/* sum(dy * y) as a function of x, scale and bias; in double, so that steps may be small. */
static double loss(const double *x, const double *scale, const double *bias, const float *dy, size_t rows,
                   size_t n, bool rms)
{
    double total = 0;
    for (size_t row = 0; row < rows; row++) {
        double mean = 0, squares = 0;
        for (size_t i = 0; i < n && !rms; i++)
            mean += x[row * n + i] / (double)n;
        for (size_t i = 0; i < n; i++)
            squares += (x[row * n + i] - mean) * (x[row * n + i] - mean);
        const double rstd = 1 / sqrt(squares / (double)n + 1e-5);
        for (size_t i = 0; i < n; i++)
            total += (double)dy[row * n + i] * ((x[row * n + i] - mean) * rstd * scale[i] + bias[i]);
    }
    return total;
}

static void gradients_are_the_slopes(void **state)
{
    (void)state;
    enum { ROWS = 3, N = 37 };
    const double step = 1e-5;
    for (unsigned rms = 0; rms < 2; rms++) {
        float *x = draw(ROWS * N, 1, 1, 0.5), *dy = draw(ROWS * N, 2, 1, 0), *scale = draw(N, 3, 0.3, 1);
        double at[ROWS * N], times[N], plus[N] = {0};
        for (size_t i = 0; i < ROWS * N; i++)
            at[i] = (double)x[i];
        for (size_t i = 0; i < N; i++)
            times[i] = (double)scale[i];
        const struct norm_rows job = {
            .rms = rms, .rows = ROWS, .features = N, .eps = 1e-5, .x = x, .scale = scale};
        struct run run;
        run_open(&run, &job, dy, NULL);
        run_by(&run, kernel_path());
        double *const of[] = {at, times, plus};
        const float *const got[] = {run.backward.dx, run.backward.dscale, run.backward.dbias};
        for (int k = 0; k < 3; k++)
            for (size_t i = 0; i < (k ? N : ROWS * N); i++) {
                const double kept = of[k][i];
                of[k][i] = kept + step;
                const double above = loss(at, times, plus, dy, ROWS, N, rms);
                of[k][i] = kept - step;
                const double below = loss(at, times, plus, dy, ROWS, N, rms);
                of[k][i] = kept;
                assert_true(fabs((above - below) / (2 * step) - (double)got[k][i]) < 2e-5);
            }
        run_close(&run);
        free(x), free(dy), free(scale);
    }
}

/* ---- behind the tensors' own functions ---- */

static void a_layout_changes_no_bits(void **state)
{
    (void)state;
    /* The same rows, once beside each other and once across. */
    const size_t rows = 5, n = 96;
    float *values = draw(rows * n, 1, 1, 3);
    struct tensor *along = filled(EXTENTS(rows, n), values), *across = zeros(EXTENTS(n, rows));
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < n; i++)
            tensor_set(across, (size_t[]){i, row}, values[row * n + i]);
    struct tensor_norm a, b;
    ok(layer_norm(&a, along, &(struct tensor_norm_options){.axes = 2, .eps = 1e-5}, err));
    ok(layer_norm(&b, across, &(struct tensor_norm_options){.axes = 1, .eps = 1e-5}, err));
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < n; i++)
            assert_true(tensor_get(a.y, (size_t[]){row, i}) == tensor_get(b.y, (size_t[]){i, row}));
    struct tensor *const all[] = {along, across, a.y, a.mean, a.var, a.rstd, b.y, b.mean, b.var, b.rstd};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tensor_free(all[i]);
    free(values);
}

static void a_scale_for_each_row_is_no_row(void **state)
{
    (void)state;
    /* 32 x 32, so that only its place tells what the scale is for. */
    float *values = draw(1024, 1, 1, 0), factors[32];
    for (size_t i = 0; i < 32; i++)
        factors[i] = (float)(i + 1);
    struct tensor *x = filled(EXTENTS(32, 32), values), *scale = filled(EXTENTS(32, 1), factors);
    struct tensor_norm plain_norm, scaled;
    ok(layer_norm(&plain_norm, x, &(struct tensor_norm_options){.axes = 2, .eps = 1e-5}, err));
    ok(layer_norm(&scaled, x, &(struct tensor_norm_options){.axes = 2, .eps = 1e-5, .scale = scale}, err));
    for (size_t i = 0; i < 1024; i++) {
        const float want = tensor_get_flat(plain_norm.y, i) * factors[i / 32];
        assert_true(fabsf(tensor_get_flat(scaled.y, i) - want) <= 1e-6f * (1 + fabsf(want)));
    }
    struct tensor *const all[] = {
        x,        scale,       plain_norm.y, plain_norm.mean, plain_norm.var, plain_norm.rstd,
        scaled.y, scaled.mean, scaled.var,   scaled.rstd};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tensor_free(all[i]);
    free(values);
}

/* The definition: in double, k rising, each product by itself. */
static void multiply_plainly(const struct product_tile *tile)
{
    for (size_t i = 0; i < tile->rows; i++)
        for (size_t j = 0; j < tile->columns; j++)
            for (size_t k = 0; k < tile->inner; k++) {
                const float a = tile->a[(ptrdiff_t)i * tile->a_row + (ptrdiff_t)k * tile->a_column];
                tile->sums[i * tile->stride + j] += (double)a * (double)tile->b[(ptrdiff_t)k * tile->b_row + (ptrdiff_t)j];
            }
}

static void every_path_multiplies_alike(void **state)
{
    (void)state;
    static const size_t inners[] = {0, 1, 2, 7, 64, 130};
    enum { ROWS = 4, MOST = 130, COLUMNS = 40, STRIDE = 43 };
    float *a = draw(ROWS * MOST, 40, 3, 1), *b = draw(MOST * STRIDE, 41, 1e3, -5);
    a[3] = INFINITY;
    b[STRIDE + 2] = 1e-42f;
    for (size_t p = 0; p < KERNEL_PATHS; p++) {
        if (!kernel_paths[p]->runs_here())
            continue;
        for (size_t rows = 1; rows <= ROWS; rows++)
            for (size_t columns = 1; columns <= COLUMNS; columns++)
                for (size_t turned = 0; turned < 2 * sizeof inners / sizeof *inners; turned++) {
                    double wanted[ROWS * STRIDE], got[ROWS * STRIDE];
                    for (size_t i = 0; i < ROWS * STRIDE; i++)
                        wanted[i] = got[i] = (double)i / 7;
                    struct product_tile tile = {.rows = rows, .inner = inners[turned / 2], .columns = columns, .a = a,
                                                .a_row = turned % 2 ? 1 : MOST, .a_column = turned % 2 ? ROWS : 1,
                                                .b = b, .b_row = STRIDE, .sums = wanted, .stride = STRIDE};
                    multiply_plainly(&tile);
                    tile.sums = got;
                    kernel_paths[p]->product(&tile);
                    for (size_t i = 0; i < ROWS * STRIDE; i++)
                        if (memcmp(&got[i], &wanted[i], sizeof *got) != 0 && !(isnan(got[i]) && isnan(wanted[i])))
                            fail_msg("%s, %zu x %zu x %zu: sum %zu is %a, not %a", kernel_paths[p]->name, rows, tile.inner, columns, i,
                                     got[i], wanted[i]);
                }
    }
    free(a);
    free(b);
}

static void the_processor_gets_its_path(void **state)
{
    (void)state;
    assert_true(kernel_path()->runs_here());
    assert_string_equal(tensor_processor_path(), kernel_path()->name);
    assert_true(plain()->runs_here());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_path_gives_the_same_bits),
        cmocka_unit_test(a_row_is_the_same_alone_and_among_others),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(every_width_is_exact),
        cmocka_unit_test(awkward_rows_are_exact),
        cmocka_unit_test(four_near_values_are_told_apart),
        cmocka_unit_test(a_constant_row_gives_exactly_the_bias),
        cmocka_unit_test(nan_and_infinity_stay_in_their_row),
        cmocka_unit_test(the_way_back_is_exact),
        cmocka_unit_test(gradients_are_the_slopes),
        cmocka_unit_test(a_layout_changes_no_bits),
        cmocka_unit_test(a_scale_for_each_row_is_no_row),
        cmocka_unit_test(every_path_multiplies_alike),
        cmocka_unit_test(the_processor_gets_its_path),
    };
    return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
