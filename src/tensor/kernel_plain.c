/* A vector is an array, and a fused multiply-add is computed in double where the processor has none. */
#include "tensor/kernel.h"

#include <math.h>
#include <string.h>

#define TARGET
#define INLINE static inline

typedef struct {
    float lane[16];
} vec;
typedef struct {
    double lane[4];
} quad;

/* a * b is exact in double. The sum is rounded to odd, so that rounding it to float rounds only once. */
static inline float fused(float a, float b, float c)
{
#ifdef __FP_FAST_FMAF
    return fmaf(a, b, c);
#else
    const double product = (double)a * (double)b, other = (double)c, sum = product + other;
    const double taken = sum - product, left = (product - (sum - taken)) + (other - taken);
    int64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    const bool inexact = left > 0 || left < 0;
    bits += inexact && !(bits & 1) ? ((left > 0) == (sum > 0) ? 1 : -1) : 0;
    double odd;
    memcpy(&odd, &bits, sizeof odd);
    return (float)odd;
#endif
}

INLINE vec v_fma(vec a, vec b, vec c)
{
    for (int k = 0; k < 16; k++)
        c.lane[k] = fused(a.lane[k], b.lane[k], c.lane[k]);
    return c;
}

INLINE vec v_all(float value)
{
    vec v;
    for (int k = 0; k < 16; k++)
        v.lane[k] = value;
    return v;
}

INLINE vec v_zero(void)
{
    return v_all(0);
}

INLINE vec v_load(const float *from)
{
    vec v;
    memcpy(v.lane, from, sizeof v.lane);
    return v;
}

INLINE vec v_load_part(const float *from, size_t count)
{
    vec v = v_zero();
    memcpy(v.lane, from, count * sizeof *from);
    return v;
}

INLINE vec v_keep(vec v, size_t count)
{
    return v_load_part(v.lane, count);
}

INLINE void v_store(float *to, vec v)
{
    memcpy(to, v.lane, sizeof v.lane);
}

INLINE void v_store_part(float *to, vec v, size_t count)
{
    memcpy(to, v.lane, count * sizeof *to);
}

INLINE void v_stream(float *to, vec v)
{
    v_store(to, v);
}

INLINE vec v_add(vec a, vec b)
{
    for (int k = 0; k < 16; k++)
        a.lane[k] += b.lane[k];
    return a;
}

INLINE vec v_sub(vec a, vec b)
{
    for (int k = 0; k < 16; k++)
        a.lane[k] -= b.lane[k];
    return a;
}

INLINE vec v_mul(vec a, vec b)
{
    for (int k = 0; k < 16; k++)
        a.lane[k] *= b.lane[k];
    return a;
}

INLINE quad v_widen(vec v)
{
    quad q;
    for (int k = 0; k < 4; k++)
        q.lane[k] = (double)((v.lane[k] + v.lane[k + 8]) + (v.lane[k + 4] + v.lane[k + 12]));
    return q;
}

INLINE quad v_widen_both(vec a, vec b)
{
    double sums[8];
    quad q;
    for (int k = 0; k < 8; k++)
        sums[k] = ((double)a.lane[k] + (double)a.lane[k + 8]) + ((double)b.lane[k] + (double)b.lane[k + 8]);
    for (int k = 0; k < 4; k++)
        q.lane[k] = sums[k] + sums[k + 4];
    return q;
}

INLINE quad q_all(double value)
{
    return (quad){{value, value, value, value}};
}

INLINE quad q_add(quad a, quad b)
{
    for (int k = 0; k < 4; k++)
        a.lane[k] += b.lane[k];
    return a;
}

INLINE quad q_sub(quad a, quad b)
{
    for (int k = 0; k < 4; k++)
        a.lane[k] -= b.lane[k];
    return a;
}

INLINE quad q_mul(quad a, quad b)
{
    for (int k = 0; k < 4; k++)
        a.lane[k] *= b.lane[k];
    return a;
}

INLINE quad q_div(quad a, quad b)
{
    for (int k = 0; k < 4; k++)
        a.lane[k] /= b.lane[k];
    return a;
}

INLINE quad q_root(quad q)
{
    for (int k = 0; k < 4; k++)
        q.lane[k] = sqrt(q.lane[k]);
    return q;
}

INLINE double q_total(quad q)
{
    return (q.lane[0] + q.lane[2]) + (q.lane[1] + q.lane[3]);
}

INLINE quad q_totals(quad a, quad b, quad c, quad d)
{
    return (quad){{q_total(a), q_total(b), q_total(c), q_total(d)}};
}

INLINE quad v_totals(vec a, vec b, vec c, vec d)
{
    return q_totals(v_widen(a), v_widen(b), v_widen(c), v_widen(d));
}

INLINE float v_two(const float *x, const float *residual, size_t first, size_t second, const bool add)
{
    return add ? (x[first] + residual[first]) + (x[second] + residual[second]) : x[first] + x[second];
}

INLINE void v_guess(float means[4], const float *x, const float *residual, size_t stride, size_t second,
                    const bool add)
{
    for (size_t r = 0; r < 4; r++) {
        const size_t i = r * stride;
        means[r] =
            ((v_two(x, residual, i, i + second, add) + v_two(x, residual, i + 1, i + 1 + second, add)) +
             (v_two(x, residual, i + 2, i + 2 + second, add) +
              v_two(x, residual, i + 3, i + 3 + second, add))) *
            0.125f;
    }
}

INLINE quad q_load_floats(const float *from)
{
    return (quad){{(double)from[0], (double)from[1], (double)from[2], (double)from[3]}};
}

INLINE void q_store_floats(float *to, quad q)
{
    for (int k = 0; k < 4; k++)
        to[k] = (float)q.lane[k];
}

INLINE quad q_choose(quad a, quad b, quad yes, quad no)
{
    for (int k = 0; k < 4; k++)
        no.lane[k] = a.lane[k] <= b.lane[k] ? yes.lane[k] : no.lane[k];
    return no;
}

INLINE unsigned q_below(quad a, quad b)
{
    unsigned lanes = 0;
    for (int k = 0; k < 4; k++)
        lanes |= (unsigned)(a.lane[k] < b.lane[k]) << k;
    return lanes;
}

INLINE unsigned q_at_most(quad a, quad b)
{
    unsigned lanes = 0;
    for (int k = 0; k < 4; k++)
        lanes |= (unsigned)(a.lane[k] <= b.lane[k]) << k;
    return lanes;
}

INLINE void v_fence(void)
{
}

#include "tensor/kernel_forward.h"
#include "tensor/kernel_backward.h"

static void product(const struct product_tile *tile)
{
    for (size_t k = 0; k < tile->inner; k++) {
        const float *restrict b = tile->b + (ptrdiff_t)k * tile->b_row;
        for (size_t i = 0; i < tile->rows; i++) {
            const double a = (double)tile->a[(ptrdiff_t)i * tile->a_row + (ptrdiff_t)k * tile->a_column];
            double *restrict sums = tile->sums + i * tile->stride;
            for (size_t j = 0; j < tile->columns; j++)
                sums[j] += a * (double)b[j];
        }
    }
}

static bool runs_here(void)
{
    return true;
}

const struct kernel_path kernel_plain = {"plain C", runs_here, forward, backward, product};
