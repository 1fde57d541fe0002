#include "tensor/rows.h"

#include <math.h>

enum { LANES = 8 }; /* partial sums, so that additions need not wait for each other */

static double add_lanes(const double lane[LANES])
{
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

double row_sum(const float *x, size_t n)
{
    double lane[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lane[k] += (double)x[i + k];
    for (size_t k = 0; i < n; i++, k++)
        lane[k] += (double)x[i];
    return add_lanes(lane);
}

double row_square_sum(const float *x, size_t n)
{
    double lane[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lane[k] += (double)x[i + k] * (double)x[i + k];
    for (size_t k = 0; i < n; i++, k++)
        lane[k] += (double)x[i] * (double)x[i];
    return add_lanes(lane);
}

/* Two passes. The second also finds what rounding took from the mean: a near-constant row of 200,000 elements
   would lose three bits by it. */
struct row_moments row_moments(const float *x, size_t n)
{
    const double count = (double)n, shift = row_sum(x, n) / count;
    double first[LANES] = {0}, second[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++) {
            const double d = (double)x[i + k] - shift;
            first[k] += d;
            second[k] += d * d;
        }
    for (size_t k = 0; i < n; i++, k++) {
        const double d = (double)x[i] - shift;
        first[k] += d;
        second[k] += d * d;
    }
    return (struct row_moments){
        .shift = shift,
        .rest = isfinite(shift) ? add_lanes(first) / count : 0,
        .squares = add_lanes(second),
    };
}
