/* The backward kernels, for the vectors that the file including this defines, with z = x normalized:
     dx = dy * scale * rstd + z * b + a,  a = -mean(dy * scale) * rstd,  b = -mean(dy * scale * z) * rstd
   dscale and dbias gather four rows at a time. */

/* Up to four rows between their sums and their results. */
struct back {
    float shift[4], rstd[4], c[4], a[4], b[4];
    unsigned exact, shifted; /* a bit a row: to be computed in double; with a shift that is not 0 */
};

INLINE vec centre(vec x, vec by, vec rstd, vec c, const bool shifted)
{
    return v_fma(shifted ? v_sub(x, by) : x, rstd, c);
}

INLINE vec times(vec dy, const float *scale, size_t i)
{
    return scale ? v_mul(dy, v_load(scale + i)) : dy;
}

INLINE vec times_part(vec dy, const float *scale, size_t i, size_t count)
{
    return scale ? v_mul(dy, v_load_part(scale + i, count)) : dy;
}

INLINE void gather_back(vec *first, vec *second, vec g, vec z, const bool rms)
{
    if (!rms)
        *first = v_add(*first, g);
    *second = v_fma(g, z, *second);
}

/* Sums of g = dy * scale and of g * z, of four rows of at most KERNEL_SHORT elements. */
INLINE void back_sum_short(quad *first, quad *second, const struct back *back,
                           const struct norm_rows_backward *job, size_t row, const bool rms)
{
    const size_t n = job->features;
    const float *x = job->x + row * n, *dy = job->dy + row * n, *scale = job->scale;
    const vec by0 = v_all(back->shift[0]), by1 = v_all(back->shift[1]);
    const vec by2 = v_all(back->shift[2]), by3 = v_all(back->shift[3]);
    const vec rstd0 = v_all(back->rstd[0]), rstd1 = v_all(back->rstd[1]);
    const vec rstd2 = v_all(back->rstd[2]), rstd3 = v_all(back->rstd[3]);
    const vec c0 = v_all(back->c[0]), c1 = v_all(back->c[1]), c2 = v_all(back->c[2]), c3 = v_all(back->c[3]);
    vec a0 = v_zero(), a1 = v_zero(), a2 = v_zero(), a3 = v_zero();
    vec b0 = v_zero(), b1 = v_zero(), b2 = v_zero(), b3 = v_zero();
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        const vec z0 = centre(v_load(x + i), by0, rstd0, c0, !rms);
        const vec z1 = centre(v_load(x + i + n), by1, rstd1, c1, !rms);
        const vec z2 = centre(v_load(x + i + 2 * n), by2, rstd2, c2, !rms);
        const vec z3 = centre(v_load(x + i + 3 * n), by3, rstd3, c3, !rms);
        gather_back(&a0, &b0, times(v_load(dy + i), scale, i), z0, rms);
        gather_back(&a1, &b1, times(v_load(dy + i + n), scale, i), z1, rms);
        gather_back(&a2, &b2, times(v_load(dy + i + 2 * n), scale, i), z2, rms);
        gather_back(&a3, &b3, times(v_load(dy + i + 3 * n), scale, i), z3, rms);
    }
    if (i < n) {
        const size_t left = n - i;
        const vec z0 = centre(v_load_part(x + i, left), by0, rstd0, c0, !rms);
        const vec z1 = centre(v_load_part(x + i + n, left), by1, rstd1, c1, !rms);
        const vec z2 = centre(v_load_part(x + i + 2 * n, left), by2, rstd2, c2, !rms);
        const vec z3 = centre(v_load_part(x + i + 3 * n, left), by3, rstd3, c3, !rms);
        gather_back(&a0, &b0, times_part(v_load_part(dy + i, left), scale, i, left), z0, rms);
        gather_back(&a1, &b1, times_part(v_load_part(dy + i + n, left), scale, i, left), z1, rms);
        gather_back(&a2, &b2, times_part(v_load_part(dy + i + 2 * n, left), scale, i, left), z2, rms);
        gather_back(&a3, &b3, times_part(v_load_part(dy + i + 3 * n, left), scale, i, left), z3, rms);
    }
    *first = rms ? q_all(0) : v_totals(a0, a1, a2, a3);
    *second = v_totals(b0, b1, b2, b3);
}

/* The same of one row of any length. */
INLINE void back_sum_one(quad *first, quad *second, const struct back *back, int r,
                         const struct norm_rows_backward *job, size_t row, const bool rms)
{
    const size_t n = job->features;
    const bool is_short = n <= KERNEL_SHORT;
    const float *x = job->x + row * n, *dy = job->dy + row * n, *scale = job->scale;
    const vec by = v_all(back->shift[r]), rstd = v_all(back->rstd[r]), c = v_all(back->c[r]);
    quad s = q_all(0), t = q_all(0);
    size_t i = 0;
    do {
        const size_t end = n - i < FLUSH ? n : i + FLUSH;
        vec a0 = v_zero(), a1 = v_zero(), a2 = v_zero(), a3 = v_zero();
        vec b0 = v_zero(), b1 = v_zero(), b2 = v_zero(), b3 = v_zero();
        for (; !is_short && i + 4 * LANES <= end; i += 4 * LANES) {
            const vec z0 = centre(v_load(x + i), by, rstd, c, !rms);
            const vec z1 = centre(v_load(x + i + LANES), by, rstd, c, !rms);
            const vec z2 = centre(v_load(x + i + 2 * LANES), by, rstd, c, !rms);
            const vec z3 = centre(v_load(x + i + 3 * LANES), by, rstd, c, !rms);
            gather_back(&a0, &b0, times(v_load(dy + i), scale, i), z0, rms);
            gather_back(&a1, &b1, times(v_load(dy + i + LANES), scale, i + LANES), z1, rms);
            gather_back(&a2, &b2, times(v_load(dy + i + 2 * LANES), scale, i + 2 * LANES), z2, rms);
            gather_back(&a3, &b3, times(v_load(dy + i + 3 * LANES), scale, i + 3 * LANES), z3, rms);
        }
        while (i < end) {
            const size_t count = end - i < LANES ? end - i : LANES;
            const vec z = centre(v_load_part(x + i, count), by, rstd, c, !rms);
            gather_back(&a0, &b0, times_part(v_load_part(dy + i, count), scale, i, count), z, rms);
            i += count;
        }
        t = q_add(t, v_widen(v_add(v_add(b0, b1), v_add(b2, b3))));
        if (!rms)
            s = q_add(s, v_widen(v_add(v_add(a0, a1), v_add(a2, a3))));
    } while (i < n);
    *first = rms ? q_all(0) : q_totals(s, s, s, s);
    *second = q_totals(t, t, t, t);
}

INLINE void back_settle(struct back *back, int r, const struct terms *terms, quad first, quad second,
                        const bool four)
{
    const quad limit = q_all(MOST_SQUARES), zero = q_all(0);
    const quad rstd = four ? q_load_floats(back->rstd) : q_all((double)back->rstd[r]);
    const unsigned good = q_below(first, limit) & q_below(q_sub(zero, limit), first) &
                          q_below(second, limit) & q_below(q_sub(zero, limit), second);
    const unsigned all = four ? 15 : 1;
    put(back->a + r, q_mul(q_sub(zero, q_mul(first, terms->inverse)), rstd), four);
    put(back->b + r, q_mul(q_sub(zero, q_mul(second, terms->inverse)), rstd), four);
    back->exact |= (~good & all) << r;
}

#define VARIANT(name, rms)                                                                                   \
    ENTRY void name##_four(struct back *back, const struct norm_rows_backward *job,                          \
                           const struct terms *terms, size_t row)                                            \
    {                                                                                                        \
        quad first, second;                                                                                  \
        back_sum_short(&first, &second, back, job, row, rms);                                                \
        back_settle(back, 0, terms, first, second, true);                                                    \
    }                                                                                                        \
    ENTRY void name##_one(struct back *back, int r, const struct norm_rows_backward *job,                    \
                          const struct terms *terms, size_t row)                                             \
    {                                                                                                        \
        quad first, second;                                                                                  \
        back_sum_one(&first, &second, back, r, job, row, rms);                                               \
        back_settle(back, r, terms, first, second, false);                                                   \
    }
VARIANT(back_layer, false)
VARIANT(back_rms, true)
#undef VARIANT

/* What the way forward kept of rows row … row + count - 1, and their sums. */
static void back_read(struct back *back, const struct norm_rows_backward *job, const struct terms *terms,
                      size_t row, int count)
{
    const float *kept = job->kept + row;
    back->exact = back->shifted = 0;
    for (int r = 0; r < count; r++) {
        back->shift[r] = kept[r];
        back->c[r] = kept[job->rows + (size_t)r];
        back->rstd[r] = kept[2 * job->rows + (size_t)r];
        back->shifted |= (unsigned)(back->shift[r] != 0) << r;
    }
    if (job->features <= KERNEL_SHORT && count == 4)
        (job->rms ? back_rms_four : back_layer_four)(back, job, terms, row);
    else
        for (int r = 0; r < count; r++)
            (job->rms ? back_rms_one : back_layer_one)(back, r, job, terms, row + (size_t)r);
}

/* Where columns are read and written. `x` is stride elements a row, dy, dsum and dx n. */
struct columns {
    const float *x, *dy, *scale, *dsum;
    size_t ahead; /* elements from here to what will be read while these are written */
    float *dx, *dscale, *dbias;
    size_t n, stride, count;
    bool begun; /* dscale and dbias hold sums already */
};

INLINE vec load_some(const float *from, size_t count, const bool whole)
{
    return whole ? v_load(from) : v_load_part(from, count);
}

INLINE void store_some(float *to, vec v, size_t count, const bool whole)
{
    if (whole)
        v_store(to, v);
    else
        v_store_part(to, v, count);
}

/* The sum so far, 0 before the first rows. */
INLINE vec so_far(const struct columns *at, const float *sums, size_t i, size_t count, const bool whole)
{
    return at->begun ? load_some(sums + i, count, whole) : v_zero();
}

INLINE void give_dx(const struct columns *at, size_t i, vec g, vec rstd, vec z, vec a, vec b, size_t count,
                    const bool add, const bool stream, const bool whole)
{
    vec dx = v_fma(g, rstd, v_fma(z, b, a));
    if (add)
        dx = v_add(dx, load_some(at->dsum + i, count, whole));
    if (whole)
        give(at->dx + i, dx, stream);
    else
        v_store_part(at->dx + i, dx, count);
}

/* A vector of columns of four rows. */
INLINE void back_four(const struct columns *at, const struct back *back, size_t i, size_t count,
                      const bool shifted, const bool given, const bool add, const bool weights,
                      const bool stream, const bool whole)
{
    const size_t n = at->n, stride = at->stride;
    const vec rstd0 = v_all(back->rstd[0]), rstd1 = v_all(back->rstd[1]);
    const vec rstd2 = v_all(back->rstd[2]), rstd3 = v_all(back->rstd[3]);
    vec z0 = load_some(at->x + i, count, whole), z1 = load_some(at->x + i + stride, count, whole);
    vec z2 = load_some(at->x + i + 2 * stride, count, whole);
    vec z3 = load_some(at->x + i + 3 * stride, count, whole);
    if (!given) {
        z0 = centre(z0, v_all(back->shift[0]), rstd0, v_all(back->c[0]), shifted);
        z1 = centre(z1, v_all(back->shift[1]), rstd1, v_all(back->c[1]), shifted);
        z2 = centre(z2, v_all(back->shift[2]), rstd2, v_all(back->c[2]), shifted);
        z3 = centre(z3, v_all(back->shift[3]), rstd3, v_all(back->c[3]), shifted);
    }
    const vec dy0 = load_some(at->dy + i, count, whole), dy1 = load_some(at->dy + i + n, count, whole);
    const vec dy2 = load_some(at->dy + i + 2 * n, count, whole);
    if (stream)
        for (size_t r = 0; r < 4; r++) {
            __builtin_prefetch(at->x + at->ahead + i + r * n);
            __builtin_prefetch(at->dy + at->ahead + i + r * n);
        }
    const vec dy3 = load_some(at->dy + i + 3 * n, count, whole);
    const vec scale = at->scale ? load_some(at->scale + i, count, whole) : v_all(1);
    give_dx(at, i, v_mul(dy0, scale), rstd0, z0, v_all(back->a[0]), v_all(back->b[0]), count, add, stream,
            whole);
    give_dx(at, i + n, v_mul(dy1, scale), rstd1, z1, v_all(back->a[1]), v_all(back->b[1]), count, add, stream,
            whole);
    give_dx(at, i + 2 * n, v_mul(dy2, scale), rstd2, z2, v_all(back->a[2]), v_all(back->b[2]), count, add,
            stream, whole);
    give_dx(at, i + 3 * n, v_mul(dy3, scale), rstd3, z3, v_all(back->a[3]), v_all(back->b[3]), count, add,
            stream, whole);
    if (!weights)
        return;
    const vec scales = v_add(v_fma(dy1, z1, v_mul(dy0, z0)), v_fma(dy3, z3, v_mul(dy2, z2)));
    const vec biases = v_add(v_add(dy0, dy1), v_add(dy2, dy3));
    store_some(at->dscale + i, v_add(so_far(at, at->dscale, i, count, whole), scales), count, whole);
    store_some(at->dbias + i, v_add(so_far(at, at->dbias, i, count, whole), biases), count, whole);
}

/* The same of row r alone. */
INLINE void back_one(const struct columns *at, const struct back *back, int r, size_t i, size_t count,
                     const bool given, const bool add, const bool weights, const bool whole)
{
    const size_t place = i + (size_t)r * at->n;
    const vec rstd = v_all(back->rstd[r]);
    vec z = load_some(at->x + i + (size_t)r * at->stride, count, whole);
    if (!given)
        z = centre(z, v_all(back->shift[r]), rstd, v_all(back->c[r]), true);
    const vec dy = load_some(at->dy + place, count, whole);
    const vec g = at->scale ? v_mul(dy, load_some(at->scale + i, count, whole)) : dy;
    give_dx(at, place, g, rstd, z, v_all(back->a[r]), v_all(back->b[r]), count, add, false, whole);
    if (!weights)
        return;
    store_some(at->dscale + i, v_fma(dy, z, so_far(at, at->dscale, i, count, whole)), count, whole);
    store_some(at->dbias + i, v_add(dy, so_far(at, at->dbias, i, count, whole)), count, whole);
}

INLINE void back_columns(const struct columns *at, const struct back *back, const bool shifted,
                         const bool given, const bool add, const bool weights, const bool stream)
{
    size_t i = 0;
    for (; i + LANES <= at->count; i += LANES)
        back_four(at, back, i, LANES, shifted, given, add, weights, stream, true);
    if (i < at->count)
        back_four(at, back, i, at->count - i, shifted, given, add, weights, false, false);
}

typedef void columns_writer(const struct columns *at, const struct back *back);
#define VARIANT(name, shifted, given, weights, stream)                                                       \
    ENTRY void name(const struct columns *at, const struct back *back)                                       \
    {                                                                                                        \
        back_columns(at, back, shifted, given, false, weights, stream);                                      \
    }                                                                                                        \
    ENTRY void name##_add(const struct columns *at, const struct back *back)                                 \
    {                                                                                                        \
        back_columns(at, back, shifted, given, true, weights, stream);                                       \
    }
VARIANT(columns_near, false, false, true, false)
VARIANT(columns_near_stream, false, false, true, true)
VARIANT(columns_shifted, true, false, true, false)
VARIANT(columns_shifted_stream, true, false, true, true)
VARIANT(columns_given, false, true, true, false)
VARIANT(columns_dx, true, false, false, false)
VARIANT(columns_given_dx, false, true, false, false)
#undef VARIANT

ENTRY void columns_one(const struct columns *at, const struct back *back, int r)
{
    const bool add = at->dsum != NULL, weights = at->dscale != NULL;
    size_t i = 0;
    for (; i + LANES <= at->count; i += LANES)
        back_one(at, back, r, i, LANES, false, add, weights, true);
    if (i < at->count)
        back_one(at, back, r, i, at->count - i, false, add, weights, false);
}

/* Rows that are not all to be had in float32. */
ENTRY void back_odd(const struct columns *all, const struct back *back, const struct norm_rows_backward *job,
                    size_t row, int count)
{
    _Alignas(64) float z[4][TILE];
    struct kernel_exact by[4];
    double ignored[2];
    const bool add = all->dsum != NULL, weights = all->dscale != NULL;
    for (int r = 0; r < count; r++)
        if (back->exact >> r & 1)
            by[r] = kernel_exact_row(job->x + (row + (size_t)r) * all->n, all->n, job->eps, job->rms,
                                     &ignored[0], &ignored[1]);
    for (size_t begin = 0; begin < all->n; begin += TILE) {
        struct columns at = *all;
        at.count = all->n - begin < TILE ? all->n - begin : TILE;
        at.x = z[0];
        at.stride = TILE;
        at.dy += begin;
        at.dx += begin;
        at.scale = at.scale ? at.scale + begin : NULL;
        at.dsum = add ? at.dsum + begin : NULL;
        at.dscale = weights ? at.dscale + begin : NULL;
        at.dbias = weights ? at.dbias + begin : NULL;
        for (int r = 0; r < count; r++) {
            const float *x = all->x + (size_t)r * all->n + begin;
            if (back->exact >> r & 1) {
                kernel_exact_write(z[r], x, at.count, &by[r], NULL, NULL);
                continue;
            }
            const vec shift = v_all(back->shift[r]), rstd = v_all(back->rstd[r]), c = v_all(back->c[r]);
            for (size_t i = 0; i < at.count; i += LANES) {
                const size_t some = at.count - i < LANES ? at.count - i : LANES;
                v_store_part(z[r] + i, centre(v_load_part(x + i, some), shift, rstd, c, true), some);
            }
        }
        if (count == 4 && weights)
            (add ? columns_given_add : columns_given)(&at, back);
        else if (count == 4)
            (add ? columns_given_dx_add : columns_given_dx)(&at, back);
        for (int r = 0; count < 4 && r < count; r++, at.begun = true)
            for (size_t i = 0; i < at.count; i += LANES)
                back_one(&at, back, r, i, at.count - i < LANES ? at.count - i : LANES, true, add, weights,
                         false);
    }
    for (int r = 0; r < count; r++)
        if (back->exact >> r & 1)
            kernel_exact_backward(job, row + (size_t)r, &by[r]);
}

/* `begun`: as in struct columns. */
static void back_write(const struct back *back, const struct norm_rows_backward *job, size_t row, int count,
                       float *dscale, float *dbias, bool begun, bool stream)
{
    static columns_writer *const writers[2][2][2] = {
        {{columns_near, columns_near_stream}, {columns_shifted, columns_shifted_stream}},
        {{columns_near_add, columns_near_stream_add}, {columns_shifted_add, columns_shifted_stream_add}},
    };
    const size_t n = job->features, start = row * n;
    struct columns at = {
        .begun = begun,
        .x = job->x + start,
        .dy = job->dy + start,
        .scale = job->scale,
        .dsum = job->dsum ? job->dsum + start : NULL,
        .dx = job->dx + start,
        .dscale = dscale,
        .dbias = dbias,
        .n = n,
        .stride = n,
        .count = n,
        .ahead = row + 12 <= job->rows ? 8 * n : 0,
    };
    if (__builtin_expect(back->exact, 0))
        back_odd(&at, back, job, row, count);
    else if (count < 4)
        for (int r = 0; r < count; r++) {
            columns_one(&at, back, r);
            at.begun = true;
        }
    else if (dscale)
        writers[job->dsum != NULL][back->shifted != 0][stream](&at, back);
    else
        (job->dsum ? columns_dx_add : columns_dx)(&at, back);
}

/* Rows are read before those above them are written, so that their sums are ready when their turn comes. */
TARGET static void backward(const struct norm_rows_backward *job, size_t first, size_t count, float *dscale,
                            float *dbias, bool stream)
{
    const struct terms terms = {q_all(1 / (double)job->features), q_all(0)};
    const size_t end = first + count;
    struct back back[2];
    back_read(&back[0], job, &terms, first, count < 4 ? (int)count : 4);
    int k = 0;
    for (size_t row = first; row < end; row += 4, k = !k) {
        const size_t next = row + 4, left = end - row;
        if (next < end)
            back_read(&back[!k], job, &terms, next, end - next < 4 ? (int)(end - next) : 4);
        back_write(&back[k], job, row, left < 4 ? (int)left : 4, dscale, dbias, row > first, stream);
    }
    if (stream)
        v_fence();
}
