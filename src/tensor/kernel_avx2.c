/* A vector is two registers. */
#include "tensor/kernel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>
#include <string.h>

#define TARGET __attribute__((target("avx2,fma")))
#define INLINE static inline __attribute__((always_inline)) TARGET

typedef struct {
    __m256 low, high;
} vec;
typedef __m256d quad;

INLINE vec v_zero(void)
{
    return (vec){_mm256_setzero_ps(), _mm256_setzero_ps()};
}

INLINE vec v_all(float value)
{
    return (vec){_mm256_set1_ps(value), _mm256_set1_ps(value)};
}

INLINE vec v_load(const float *from)
{
    return (vec){_mm256_loadu_ps(from), _mm256_loadu_ps(from + 8)};
}

/* All bits of the first `count` of eight lanes. */
INLINE __m256i first_lanes(size_t count)
{
    static const int32_t window[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return _mm256_loadu_si256((const __m256i *)(window + 8 - (count < 8 ? count : 8)));
}

INLINE vec v_load_part(const float *from, size_t count)
{
    return (vec){_mm256_maskload_ps(from, first_lanes(count)),
                 count > 8 ? _mm256_maskload_ps(from + 8, first_lanes(count - 8)) : _mm256_setzero_ps()};
}

INLINE vec v_keep(vec v, size_t count)
{
    return (vec){_mm256_and_ps(v.low, _mm256_castsi256_ps(first_lanes(count))),
                 _mm256_and_ps(v.high, _mm256_castsi256_ps(first_lanes(count > 8 ? count - 8 : 0)))};
}

INLINE void v_store(float *to, vec v)
{
    _mm256_storeu_ps(to, v.low);
    _mm256_storeu_ps(to + 8, v.high);
}

INLINE void v_store_part(float *to, vec v, size_t count)
{
    _mm256_maskstore_ps(to, first_lanes(count), v.low);
    if (count > 8)
        _mm256_maskstore_ps(to + 8, first_lanes(count - 8), v.high);
}

INLINE void v_stream(float *to, vec v)
{
    _mm256_stream_ps(to, v.low);
    _mm256_stream_ps(to + 8, v.high);
}

INLINE vec v_add(vec a, vec b)
{
    return (vec){_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high)};
}

INLINE vec v_sub(vec a, vec b)
{
    return (vec){_mm256_sub_ps(a.low, b.low), _mm256_sub_ps(a.high, b.high)};
}

INLINE vec v_mul(vec a, vec b)
{
    return (vec){_mm256_mul_ps(a.low, b.low), _mm256_mul_ps(a.high, b.high)};
}

INLINE vec v_fma(vec a, vec b, vec c)
{
    return (vec){_mm256_fmadd_ps(a.low, b.low, c.low), _mm256_fmadd_ps(a.high, b.high, c.high)};
}

/* Lanes k and k + 8, then k and k + 4 added. */
INLINE __m128 v_quarter(vec v)
{
    const __m256 half = _mm256_add_ps(v.low, v.high);
    return _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
}

#include "tensor/kernel_quad.h"

INLINE quad v_totals(vec a, vec b, vec c, vec d)
{
    return q_totals(v_widen(a), v_widen(b), v_widen(c), v_widen(d));
}

/* Lanes k and k + 8 of both, then k and k + 4, added in double. */
INLINE quad v_widen_both(vec a, vec b)
{
    const quad a0 = _mm256_cvtps_pd(_mm256_castps256_ps128(a.low));
    const quad a1 = _mm256_cvtps_pd(_mm256_extractf128_ps(a.low, 1));
    const quad a2 = _mm256_cvtps_pd(_mm256_castps256_ps128(a.high));
    const quad a3 = _mm256_cvtps_pd(_mm256_extractf128_ps(a.high, 1));
    const quad b0 = _mm256_cvtps_pd(_mm256_castps256_ps128(b.low));
    const quad b1 = _mm256_cvtps_pd(_mm256_extractf128_ps(b.low, 1));
    const quad b2 = _mm256_cvtps_pd(_mm256_castps256_ps128(b.high));
    const quad b3 = _mm256_cvtps_pd(_mm256_extractf128_ps(b.high, 1));
    const quad low = _mm256_add_pd(_mm256_add_pd(a0, a2), _mm256_add_pd(b0, b2));
    const quad high = _mm256_add_pd(_mm256_add_pd(a1, a3), _mm256_add_pd(b1, b3));
    return _mm256_add_pd(low, high);
}

#include "tensor/kernel_forward.h"
#include "tensor/kernel_backward.h"

enum { PRODUCT_QUADS = 2 /* whose sums the registers hold for four rows */ };
#include "tensor/kernel_product.h"

static bool runs_here(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

const struct kernel_path kernel_avx2 = {"AVX2", runs_here, forward, backward, product};
#else
#include "tensor/kernel_absent.h"

const struct kernel_path kernel_avx2 = {"AVX2", runs_here, NULL, NULL, NULL};
#endif
