/* Rows that float32 sums cannot hold, and those that are too short to gain by them. */
#include "tensor/kernel.h"
#include "tensor/rows.h"

#include <math.h>
#include <string.h>

struct kernel_exact kernel_exact_row(const float *x, size_t n, double eps, bool rms, double *mean,
                                     double *var)
{
    const double count = (double)n;
    if (rms) {
        *mean = 0;
        *var = row_square_sum(x, n) / count;
        /* Only an infinity makes the mean of squares infinite; the finite elements would come out as 0. */
        return (struct kernel_exact){.rstd = isinf(*var) ? (double)NAN : 1 / sqrt(*var + eps)};
    }
    const struct row_moments moments = row_moments(x, n);
    *mean = moments.shift + moments.rest;
    *var = moments.squares / count;
    return (struct kernel_exact){moments.shift, moments.rest, 1 / sqrt(*var + eps)};
}

/* Adding 0 for a missing bias makes a negative zero positive. */
void kernel_exact_write(float *y, const float *x, size_t n, const struct kernel_exact *exact,
                        const float *scale, const float *bias)
{
    const double shift = exact->shift, rest = exact->rest, rstd = exact->rstd;
    for (size_t i = 0; i < n; i++) {
        const double times = scale ? (double)scale[i] : 1, plus = bias ? (double)bias[i] : 0;
        y[i] = (float)((((double)x[i] - shift) - rest) * rstd * times + plus);
    }
}

void kernel_exact_backward(const struct norm_rows_backward *job, size_t row, const struct kernel_exact *exact)
{
    const size_t n = job->features;
    const float *x = job->x + row * n, *dy = job->dy + row * n, *scale = job->scale;
    const double shift = exact->shift, rest = exact->rest, rstd = exact->rstd;
    double sum = 0, product = 0;
    for (size_t i = 0; i < n; i++) {
        const double g = (double)dy[i] * (scale ? (double)scale[i] : 1);
        sum += g;
        product += g * ((((double)x[i] - shift) - rest) * rstd);
    }
    const double mean = job->rms ? 0 : sum / (double)n, along = product / (double)n;
    for (size_t i = 0; i < n; i++) {
        const double g = (double)dy[i] * (scale ? (double)scale[i] : 1);
        const double z = (((double)x[i] - shift) - rest) * rstd;
        const double dx = rstd * ((g - mean) - z * along);
        job->dx[row * n + i] = (float)(dx + (job->dsum ? (double)job->dsum[row * n + i] : 0));
    }
}

void kernel_exact_forward(const struct norm_rows *job, size_t first, size_t count)
{
    const size_t n = job->features;
    for (size_t row = first; row < first + count; row++) {
        const float *x = job->x + row * n;
        double mean, var;
        if (job->residual) {
            for (size_t i = 0; i < n; i++)
                job->sum[row * n + i] = x[i] + job->residual[row * n + i];
            x = job->sum + row * n;
        }
        const struct kernel_exact exact = kernel_exact_row(x, n, job->eps, job->rms, &mean, &var);
        if (job->y)
            kernel_exact_write(job->y + row * n, x, n, &exact, job->scale, job->bias);
        if (job->mean)
            job->mean[row] = (float)mean;
        if (job->var)
            job->var[row] = (float)var;
        if (job->rstd)
            job->rstd[row] = (float)exact.rstd;
    }
}

void kernel_exact_chunk(const struct norm_rows_backward *job, size_t first, size_t count, float *dscale,
                        float *dbias)
{
    const size_t n = job->features;
    if (dscale) {
        memset(dscale, 0, n * sizeof *dscale);
        memset(dbias, 0, n * sizeof *dbias);
    }
    for (size_t row = first; row < first + count; row++) {
        const float *x = job->x + row * n, *dy = job->dy + row * n;
        double mean, var;
        const struct kernel_exact exact = kernel_exact_row(x, n, job->eps, job->rms, &mean, &var);
        for (size_t i = 0; dscale && i < n; i++) {
            const double z = (((double)x[i] - exact.shift) - exact.rest) * exact.rstd;
            dscale[i] = (float)((double)dscale[i] + (double)dy[i] * z);
            dbias[i] += dy[i];
        }
        kernel_exact_backward(job, row, &exact);
    }
}
