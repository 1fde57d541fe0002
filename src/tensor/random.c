/* Numbers with a distribution, out of random bits. Only + - * / and sqrt, which IEEE 754 rounds alike
   everywhere, and no contraction into fused multiply-adds: the same bits on every machine. */
#include "tensor/tensor.h"

#include <math.h>

#ifdef __clang__ /* gcc is told by -ffp-contract=off */
#pragma STDC FP_CONTRACT OFF
#endif

static uint64_t bits64(struct random_stream *random)
{
    const uint64_t high = random_bits(random);
    return high << 32 | random_bits(random);
}

double random_uniform(struct random_stream *random)
{
    return (double)(bits64(random) >> 11) * 0x1p-53;
}

/* The natural logarithm for 0 < x < 1, within 2 units in the last place: x = m * 2^e with m from sqrt(1/2) to
   sqrt(2), ln m = 2 atanh((m - 1) / (m + 1)), by its series. */
static double natural_log(double x)
{
    const double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33; /* e * ln2_high is exact */
    int e;
    double m = frexp(x, &e);
    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2;
        e--;
    }
    const double t = (m - 1) / (m + 1), t2 = t * t;
    double series = 0;
    for (int k = 23; k >= 3; k -= 2)
        series = (series + 1.0 / k) * t2;
    return e * ln2_high + (2 * t + (2 * t * series + e * ln2_low));
}

/* Marsaglia's polar method (Marsaglia, Bray 1964). The second of its two normals is not kept: a stream's
   state is then its counter alone. */
double random_normal(struct random_stream *random)
{
    double u, v, s;
    do {
        u = 2 * random_uniform(random) - 1;
        v = 2 * random_uniform(random) - 1;
        s = u * u + v * v;
    } while (s >= 1 || s == 0);
    return u * sqrt(-2 * natural_log(s) / s);
}

int64_t random_integer(struct random_stream *random, int64_t from, int64_t to)
{
    const uint64_t span = (uint64_t)to - (uint64_t)from;
    if (span == UINT64_MAX)
        return (int64_t)bits64(random);
    const uint64_t choices = span + 1;
    const uint64_t surplus = (0 - choices) % choices; /* 2^64 mod choices: not to be used */
    uint64_t bits;
    do
        bits = bits64(random);
    while (bits < surplus);
    return (int64_t)((uint64_t)from + bits % choices);
}
