/* A vector is one register. */
#include "tensor/kernel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>
#include <string.h>

#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define INLINE static inline __attribute__((always_inline)) TARGET

typedef __m512 vec;
typedef __m256d quad;

INLINE vec v_zero(void)
{
    return _mm512_setzero_ps();
}

INLINE vec v_all(float value)
{
    return _mm512_set1_ps(value);
}

INLINE vec v_load(const float *from)
{
    return _mm512_loadu_ps(from);
}

INLINE vec v_load_part(const float *from, size_t count)
{
    return _mm512_maskz_loadu_ps((__mmask16)((1u << count) - 1), from);
}

INLINE vec v_keep(vec v, size_t count)
{
    return _mm512_maskz_mov_ps((__mmask16)((1u << count) - 1), v);
}

INLINE void v_store(float *to, vec v)
{
    _mm512_storeu_ps(to, v);
}

INLINE void v_store_part(float *to, vec v, size_t count)
{
    _mm512_mask_storeu_ps(to, (__mmask16)((1u << count) - 1), v);
}

INLINE void v_stream(float *to, vec v)
{
    _mm512_stream_ps(to, v);
}

INLINE vec v_add(vec a, vec b)
{
    return _mm512_add_ps(a, b);
}

INLINE vec v_sub(vec a, vec b)
{
    return _mm512_sub_ps(a, b);
}

INLINE vec v_mul(vec a, vec b)
{
    return _mm512_mul_ps(a, b);
}

INLINE vec v_fma(vec a, vec b, vec c)
{
    return _mm512_fmadd_ps(a, b, c);
}

INLINE __m128 v_quarter(vec v)
{
    const __m256 half = _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
    return _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
}

/* Lanes k and k + 8, then k and k + 4 added. The quarters of a and b, of c and d. */
INLINE __m512 quarters(vec a, vec b, vec c, vec d)
{
    const __m512 ab = _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x44), _mm512_shuffle_f32x4(a, b, 0xee));
    const __m512 cd = _mm512_add_ps(_mm512_shuffle_f32x4(c, d, 0x44), _mm512_shuffle_f32x4(c, d, 0xee));
    return _mm512_add_ps(_mm512_shuffle_f32x4(ab, cd, 0x88), _mm512_shuffle_f32x4(ab, cd, 0xdd));
}

#include "tensor/kernel_quad.h"

INLINE quad v_totals(vec a, vec b, vec c, vec d)
{
    const __m512 four = quarters(a, b, c, d);
    const __m512d ab = _mm512_cvtps_pd(_mm512_castps512_ps256(four));
    const __m512d cd = _mm512_cvtps_pd(_mm512_extractf32x8_ps(four, 1));
    const __m512d pairs =
        _mm512_add_pd(_mm512_shuffle_f64x2(ab, cd, 0x88), _mm512_shuffle_f64x2(ab, cd, 0xdd));
    const __m512d sums = _mm512_add_pd(pairs, _mm512_permute_pd(pairs, 0x55));
    return _mm512_castpd512_pd256(_mm512_permutexvar_pd(_mm512_setr_epi64(0, 2, 4, 6, 0, 2, 4, 6), sums));
}

/* The lanes of both, added in double. */
INLINE quad v_widen_both(vec a, vec b)
{
    const __m512d left = _mm512_add_pd(_mm512_cvtps_pd(_mm512_castps512_ps256(a)),
                                       _mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1)));
    const __m512d right = _mm512_add_pd(_mm512_cvtps_pd(_mm512_castps512_ps256(b)),
                                        _mm512_cvtps_pd(_mm512_extractf32x8_ps(b, 1)));
    const __m512d sums = _mm512_add_pd(left, right);
    return _mm256_add_pd(_mm512_castpd512_pd256(sums), _mm512_extractf64x4_pd(sums, 1));
}

#include "tensor/kernel_forward.h"
#include "tensor/kernel_backward.h"

enum { PRODUCT_QUADS = 4 /* whose sums the registers hold for four rows */ };
#include "tensor/kernel_product.h"

static bool runs_here(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx2") &&
           __builtin_cpu_supports("fma");
}

const struct kernel_path kernel_avx512 = {"AVX-512", runs_here, forward, backward, product};
#else
#include "tensor/kernel_absent.h"

const struct kernel_path kernel_avx512 = {"AVX-512", runs_here, NULL, NULL, NULL};
#endif
