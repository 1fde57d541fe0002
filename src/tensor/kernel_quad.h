/* Four doubles, for both kinds of AVX: the sums of four rows, a lane a row, or of four columns. */
INLINE quad q_load(const double *from)
{
    return _mm256_loadu_pd(from);
}

INLINE void q_store(double *to, quad q)
{
    _mm256_storeu_pd(to, q);
}

INLINE quad q_fma(quad a, quad b, quad c)
{
    return _mm256_fmadd_pd(a, b, c);
}

INLINE quad q_all(double value)
{
    return _mm256_set1_pd(value);
}

INLINE quad q_add(quad a, quad b)
{
    return _mm256_add_pd(a, b);
}

INLINE quad q_sub(quad a, quad b)
{
    return _mm256_sub_pd(a, b);
}

INLINE quad q_mul(quad a, quad b)
{
    return _mm256_mul_pd(a, b);
}

INLINE quad q_div(quad a, quad b)
{
    return _mm256_div_pd(a, b);
}

INLINE quad q_root(quad q)
{
    return _mm256_sqrt_pd(q);
}

/* The four sums of (a0 + a2) + (a1 + a3) and so on. */
INLINE quad q_totals(quad a, quad b, quad c, quad d)
{
    const quad ac = _mm256_add_pd(_mm256_permute2f128_pd(a, c, 0x20), _mm256_permute2f128_pd(a, c, 0x31));
    const quad bd = _mm256_add_pd(_mm256_permute2f128_pd(b, d, 0x20), _mm256_permute2f128_pd(b, d, 0x31));
    return _mm256_hadd_pd(ac, bd);
}

INLINE quad v_widen(vec v)
{
    return _mm256_cvtps_pd(v_quarter(v));
}

INLINE __m128 v_eight(const float *x, const float *residual, size_t first, size_t second, const bool add)
{
    __m128 a = _mm_loadu_ps(x + first), b = _mm_loadu_ps(x + second);
    if (add) {
        a = _mm_add_ps(a, _mm_loadu_ps(residual + first));
        b = _mm_add_ps(b, _mm_loadu_ps(residual + second));
    }
    return _mm_add_ps(a, b);
}

/* The mean of each row's first four elements and the four at `second`. */
INLINE void v_guess(float means[4], const float *x, const float *residual, size_t stride, size_t second,
                    const bool add)
{
    const __m128 a = v_eight(x, residual, 0, second, add);
    const __m128 b = v_eight(x, residual, stride, stride + second, add);
    const __m128 c = v_eight(x, residual, 2 * stride, 2 * stride + second, add);
    const __m128 d = v_eight(x, residual, 3 * stride, 3 * stride + second, add);
    const __m128 sums = _mm_hadd_ps(_mm_hadd_ps(a, b), _mm_hadd_ps(c, d));
    _mm_storeu_ps(means, _mm_mul_ps(sums, _mm_set1_ps(0.125f)));
}

INLINE quad q_load_floats(const float *from)
{
    return _mm256_cvtps_pd(_mm_loadu_ps(from));
}

INLINE void q_store_floats(float *to, quad q)
{
    _mm_storeu_ps(to, _mm256_cvtpd_ps(q));
}

/* a <= b ? yes : no in each lane. */
INLINE quad q_choose(quad a, quad b, quad yes, quad no)
{
    return _mm256_blendv_pd(no, yes, _mm256_cmp_pd(a, b, _CMP_LE_OQ));
}

/* A bit for each lane in which a < b, or a <= b; NaN is neither. */
INLINE unsigned q_below(quad a, quad b)
{
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LT_OQ));
}

INLINE unsigned q_at_most(quad a, quad b)
{
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LE_OQ));
}

INLINE void v_fence(void)
{
    _mm_sfence();
}
