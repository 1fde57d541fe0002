/* The forward kernels, for the vectors that the file including this defines:
     y = ((x - shift) * rstd + c) * scale + bias,  c = (shift - mean) * rstd
   with a shift near the mean taken from a few elements, so that one pass finds mean and variance and the mean
   is never rounded to float32. A mean smaller than the deviation needs no shift in this: x stays exact. */

#define ENTRY static __attribute__((noinline)) TARGET

enum {
    LANES = 16,
    FLUSH_SQUARES = 256, /* elements whose squares are summed in float32 before they go to double */
    FLUSH = 1024,        /* the same of the differences, which are near 0 and may wait */
    TILE = 1024,         /* columns for which scale and bias stay in cache */
    TILE_ROWS = 8,
    TILE_CACHE = 1 << 17, /* elements of the rows that wait to be normalized */
    WORK = 1 << 14        /* elements of x + residual that are kept in cache beside what is streamed */
};

/* Outside these a float32 sum of squares, or the rstd that comes of it, is not to be trusted. */
static const double LEAST_VAR = 1e-24, MOST_SQUARES = 1e37;

/* Where rows are read, `stride` elements apart: four of them, or with stride 0 the same one four times. */
struct source {
    const float *x, *residual;
    float *sum;  /* x + residual */
    float *work; /* where it can be read again at once */
    size_t stride;
};

/* Up to four rows between their sums and their results. */
struct fit {
    quad first, second; /* sums of x - shift and of its square */
    const float *from, *next, *next_residual; /* next: what will be read while these are written */
    size_t stride;
    bool trusted; /* the sums; unless others show that they are not */
    float shift[4], rstd[4], c[4];
    unsigned exact, shifted; /* a bit a row: computed in double; with a shift that is not 0 */
    struct kernel_exact by[4];
};

INLINE vec take(const struct source *source, size_t i, const bool add, const bool stream)
{
    vec v = v_load(source->x + i);
    if (!add)
        return v;
    v = v_add(v, v_load(source->residual + i));
    v_store(source->work + i, v);
    if (stream)
        v_stream(source->sum + i, v);
    return v;
}

INLINE vec take_part(const struct source *source, size_t i, size_t count, const bool add, const bool stream)
{
    vec v = v_load_part(source->x + i, count);
    if (!add)
        return v;
    v = v_add(v, v_load_part(source->residual + i, count));
    v_store_part(source->work + i, v, count);
    if (stream)
        v_store_part(source->sum + i, v, count);
    return v;
}

INLINE vec front(const struct source *source, size_t i, const bool add)
{
    const vec v = v_load(source->x + i);
    return add ? v_add(v, v_load(source->residual + i)) : v;
}

INLINE float guess_long(const struct source *source, const bool add)
{
    const vec low = v_add(front(source, 0, add), front(source, LANES, add));
    const vec high = v_add(front(source, 2 * LANES, add), front(source, 3 * LANES, add));
    const quad four = v_widen(v_add(low, high));
    float guess[4];
    q_store_floats(guess, q_mul(q_totals(four, four, four, four), q_all(1.0 / 64)));
    return guess[0];
}

INLINE void gather(vec *first, vec *second, vec d, const bool rms)
{
    if (!rms)
        *first = v_add(*first, d);
    *second = v_fma(d, d, *second);
}

/* Sums of x - shift and of its square, of four rows of at most KERNEL_SHORT elements. */
INLINE void sum_short(quad *first, quad *second, const struct source *source, const float shift[4], size_t n,
                      const bool rms, const bool add, const bool stream)
{
    const size_t stride = source->stride;
    const vec by0 = v_all(shift[0]), by1 = v_all(shift[1]), by2 = v_all(shift[2]), by3 = v_all(shift[3]);
    vec a0 = v_zero(), a1 = v_zero(), a2 = v_zero(), a3 = v_zero();
    vec b0 = v_zero(), b1 = v_zero(), b2 = v_zero(), b3 = v_zero();
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        const vec x0 = take(source, i, add, stream), x1 = take(source, i + stride, add, stream);
        const vec x2 = take(source, i + 2 * stride, add, stream);
        const vec x3 = take(source, i + 3 * stride, add, stream);
        gather(&a0, &b0, rms ? x0 : v_sub(x0, by0), rms);
        gather(&a1, &b1, rms ? x1 : v_sub(x1, by1), rms);
        gather(&a2, &b2, rms ? x2 : v_sub(x2, by2), rms);
        gather(&a3, &b3, rms ? x3 : v_sub(x3, by3), rms);
    }
    if (i < n) {
        const size_t left = n - i;
        const vec x0 = take_part(source, i, left, add, stream);
        const vec x1 = take_part(source, i + stride, left, add, stream);
        const vec x2 = take_part(source, i + 2 * stride, left, add, stream);
        const vec x3 = take_part(source, i + 3 * stride, left, add, stream);
        gather(&a0, &b0, rms ? x0 : v_keep(v_sub(x0, by0), left), rms);
        gather(&a1, &b1, rms ? x1 : v_keep(v_sub(x1, by1), left), rms);
        gather(&a2, &b2, rms ? x2 : v_keep(v_sub(x2, by2), left), rms);
        gather(&a3, &b3, rms ? x3 : v_keep(v_sub(x3, by3), left), rms);
    }
    *first = rms ? q_all(0) : v_totals(a0, a1, a2, a3);
    *second = v_totals(b0, b1, b2, b3);
}

/* The same of one longer row. False when a few elements make up most of the squares: float32's rounding then
   does not average out. */
INLINE bool sum_long(quad *first, quad *second, const struct source *source, float shift, size_t n,
                     const bool rms, const bool add, const bool stream)
{
    const vec by = v_all(shift);
    quad s = q_all(0), t = q_all(0);
    size_t i = 0;
    while (i < n) {
        vec a0 = v_zero(), a1 = v_zero(), a2 = v_zero(), a3 = v_zero();
        for (const size_t end = n - i < FLUSH ? n : i + FLUSH; i < end;) {
            const size_t stop = end - i < FLUSH_SQUARES ? end : i + FLUSH_SQUARES;
            vec b0 = v_zero(), b1 = v_zero(), b2 = v_zero(), b3 = v_zero();
            for (; i + 4 * LANES <= stop; i += 4 * LANES) {
                const vec x0 = take(source, i, add, stream), x1 = take(source, i + LANES, add, stream);
                const vec x2 = take(source, i + 2 * LANES, add, stream);
                const vec x3 = take(source, i + 3 * LANES, add, stream);
                gather(&a0, &b0, rms ? x0 : v_sub(x0, by), rms);
                gather(&a1, &b1, rms ? x1 : v_sub(x1, by), rms);
                gather(&a2, &b2, rms ? x2 : v_sub(x2, by), rms);
                gather(&a3, &b3, rms ? x3 : v_sub(x3, by), rms);
            }
            for (; i < stop; i += LANES) {
                const size_t count = stop - i < LANES ? stop - i : LANES;
                const vec x = take_part(source, i, count, add, stream);
                gather(&a0, &b0, rms ? x : v_keep(v_sub(x, by), count), rms);
            }
            t = q_add(t, v_widen_both(v_add(b0, b1), v_add(b2, b3)));
        }
        if (!rms)
            s = q_add(s, v_widen(v_add(v_add(a0, a1), v_add(a2, a3))));
    }
    *first = rms ? q_all(0) : q_totals(s, s, s, s);
    *second = q_totals(t, t, t, t);
    return q_below(*second, q_add(t, t)) == 0;
}

/* The same in double, for rows that need it: any number of elements. */
ENTRY void sum_in_double(double *first, double *second, const float *x, size_t n, double shift)
{
    double a[LANES] = {0}, b[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++) {
            const double d = (double)x[i + k] - shift;
            a[k] += d;
            b[k] += d * d;
        }
    for (size_t k = 0; i < n; i++, k++) {
        const double d = (double)x[i] - shift;
        a[k] += d;
        b[k] += d * d;
    }
    for (size_t half = LANES / 2; half > 0; half /= 2)
        for (size_t k = 0; k < half; k++) {
            a[k] += a[k + half];
            b[k] += b[k + half];
        }
    *first = a[0];
    *second = b[0];
}

static void keep_statistics(const struct norm_rows *job, size_t row, double mean, double var, double rstd)
{
    if (job->mean)
        job->mean[row] = (float)mean;
    if (job->var)
        job->var[row] = (float)var;
    if (job->rstd)
        job->rstd[row] = (float)rstd;
}

static void keep_fit(const struct norm_rows *job, size_t row, float shift, float c, float rstd)
{
    if (!job->kept)
        return;
    job->kept[row] = shift;
    job->kept[job->rows + row] = c;
    job->kept[2 * job->rows + row] = rstd;
}

/* A row that cannot be had from float32's sums: summed in double, from a better shift if that is far off; or
   computed in double throughout. */
ENTRY void amend(struct fit *fit, int r, const struct norm_rows *job, size_t row)
{
    const float *x = fit->from + (size_t)r * fit->stride;
    const size_t n = job->features;
    const double inverse = 1 / (double)n;
    double first, second, mean;
    sum_in_double(&first, &second, x, n, (double)fit->shift[r]);
    double rest = job->rms ? 0 : first * inverse, var = second * inverse - rest * rest;
    if (rest * rest > 2 * var && second < MOST_SQUARES) {
        fit->shift[r] = (float)((double)fit->shift[r] + rest);
        sum_in_double(&first, &second, x, n, (double)fit->shift[r]);
        rest = first * inverse;
        var = second * inverse - rest * rest;
    }
    if (var < 0)
        var = 0;
    const double w = var + job->eps;
    if (w > LEAST_VAR && w < MOST_SQUARES && second < MOST_SQUARES) {
        const double rstd = 1 / sqrt(w);
        mean = (double)fit->shift[r] + rest;
        const bool near = mean * mean <= var;
        if (near)
            fit->shift[r] = 0;
        else
            fit->shifted |= 1u << r;
        fit->rstd[r] = (float)rstd;
        fit->c[r] = (float)(0 - (near ? mean : rest) * rstd);
        keep_statistics(job, row, mean, var, rstd);
        keep_fit(job, row, fit->shift[r], fit->c[r], fit->rstd[r]);
        return;
    }
    fit->exact |= 1u << r;
    fit->by[r] = kernel_exact_row(x, n, job->eps, job->rms, &mean, &var);
    keep_statistics(job, row, mean, var, fit->by[r].rstd);
    keep_fit(job, row, 0, 0, NAN); /* the way back has to look at the row itself */
}

INLINE void put(float *to, quad q, const bool four)
{
    if (four) {
        q_store_floats(to, q);
    } else {
        float lanes[4];
        q_store_floats(lanes, q);
        to[0] = lanes[0];
    }
}

/* What all rows of a job share. */
struct terms {
    quad inverse, eps;
};

/* From sums to what the rows need to be normalized with; one row, or four. */
INLINE void settle(struct fit *fit, const struct norm_rows *job, const struct terms *terms, size_t row,
                   const bool four, const bool rms)
{
    const quad first = fit->first, second = fit->second;
    const quad inverse = terms->inverse, shift = q_load_floats(fit->shift);
    const quad rest = q_mul(first, inverse), square = q_mul(rest, rest);
    const quad var = q_sub(q_mul(second, inverse), square), w = q_add(var, terms->eps);
    const quad rstd = q_div(q_all(1), q_root(w));
    const quad mean = q_add(shift, rest), mean_square = q_mul(mean, mean);
    /* c is never a negative zero. */
    const quad c = rms ? rest : q_sub(q_all(0), q_mul(q_choose(mean_square, var, mean, rest), rstd));
    const quad by = rms ? shift : q_choose(mean_square, var, q_all(0), shift);
    unsigned good =
        q_below(q_all(LEAST_VAR), w) & q_below(w, q_all(MOST_SQUARES)) & q_below(second, q_all(MOST_SQUARES));
    if (!rms)
        good &= q_at_most(square, q_add(var, var));
    if (!fit->trusted)
        good = 0;
    float guess[4];
    memcpy(guess, fit->shift, sizeof guess);
    fit->exact = 0;
    fit->shifted = rms ? 0 : good & ~q_at_most(mean_square, var);
    q_store_floats(fit->shift, by);
    q_store_floats(fit->rstd, rstd);
    q_store_floats(fit->c, c);
    if (job->mean)
        put(job->mean + row, mean, four);
    if (job->var)
        put(job->var + row, var, four);
    if (job->rstd)
        put(job->rstd + row, rstd, four);
    if (job->kept) {
        put(job->kept + row, by, four);
        put(job->kept + job->rows + row, c, four);
        put(job->kept + 2 * job->rows + row, rstd, four);
    }
    if (__builtin_expect(good == 15, 1))
        return;
    fit->shifted &= four ? 15 : 1;
    for (int r = 0; r < (four ? 4 : 1); r++)
        if (!(good >> r & 1)) {
            fit->shift[r] = guess[r];
            amend(fit, r, job, row + (size_t)r);
        }
}

INLINE vec norm(vec x, vec by, vec rstd, vec c, vec times, vec plus, const bool shifted)
{
    return v_fma(v_fma(shifted ? v_sub(x, by) : x, rstd, c), times, plus);
}

INLINE void give(float *y, vec v, const bool stream)
{
    if (stream)
        v_stream(y, v);
    else
        v_store(y, v);
}

/* Rows to come, so that memory is not idle while these are written. */
INLINE void fetch(const struct fit *fit, size_t i)
{
    __builtin_prefetch(fit->next + i);
    if (fit->next_residual)
        __builtin_prefetch(fit->next_residual + i);
}

/* Four whole rows. */
INLINE void write_short(const struct fit *fit, float *y, const struct norm_rows *job, const bool shifted,
                        const bool stream)
{
    const float *from = fit->from, *scale = job->scale, *bias = job->bias;
    const size_t n = job->features, stride = fit->stride, y_stride = n;
    const vec by0 = v_all(fit->shift[0]), by1 = v_all(fit->shift[1]);
    const vec by2 = v_all(fit->shift[2]), by3 = v_all(fit->shift[3]);
    const vec rstd0 = v_all(fit->rstd[0]), rstd1 = v_all(fit->rstd[1]);
    const vec rstd2 = v_all(fit->rstd[2]), rstd3 = v_all(fit->rstd[3]);
    const vec c0 = v_all(fit->c[0]), c1 = v_all(fit->c[1]), c2 = v_all(fit->c[2]), c3 = v_all(fit->c[3]);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        const vec times = scale ? v_load(scale + i) : v_all(1), plus = bias ? v_load(bias + i) : v_zero();
        const vec x0 = v_load(from + i), x1 = v_load(from + i + stride);
        const vec x2 = v_load(from + i + 2 * stride), x3 = v_load(from + i + 3 * stride);
        if (stream)
            for (size_t r = 0; r < 4; r++)
                fetch(fit, i + r * n);
        give(y + i, norm(x0, by0, rstd0, c0, times, plus, shifted), stream);
        give(y + i + y_stride, norm(x1, by1, rstd1, c1, times, plus, shifted), stream);
        give(y + i + 2 * y_stride, norm(x2, by2, rstd2, c2, times, plus, shifted), stream);
        give(y + i + 3 * y_stride, norm(x3, by3, rstd3, c3, times, plus, shifted), stream);
    }
    if (i == n)
        return;
    const size_t left = n - i;
    const vec times = scale ? v_load_part(scale + i, left) : v_all(1);
    const vec plus = bias ? v_load_part(bias + i, left) : v_zero();
    const vec x0 = v_load_part(from + i, left), x1 = v_load_part(from + i + stride, left);
    const vec x2 = v_load_part(from + i + 2 * stride, left);
    const vec x3 = v_load_part(from + i + 3 * stride, left);
    v_store_part(y + i, norm(x0, by0, rstd0, c0, times, plus, shifted), left);
    v_store_part(y + i + y_stride, norm(x1, by1, rstd1, c1, times, plus, shifted), left);
    v_store_part(y + i + 2 * y_stride, norm(x2, by2, rstd2, c2, times, plus, shifted), left);
    v_store_part(y + i + 3 * y_stride, norm(x3, by3, rstd3, c3, times, plus, shifted), left);
}

/* Columns begin … end - 1 of one row. */
INLINE void write_columns(const struct fit *fit, int r, float *y, const struct norm_rows *job, size_t begin,
                          size_t end, const bool shifted, const bool stream)
{
    const float *from = fit->from + (size_t)r * fit->stride, *scale = job->scale, *bias = job->bias;
    const vec by = v_all(fit->shift[r]), rstd = v_all(fit->rstd[r]), c = v_all(fit->c[r]);
    size_t i = begin;
    for (; i + LANES <= end; i += LANES) {
        const vec times = scale ? v_load(scale + i) : v_all(1), plus = bias ? v_load(bias + i) : v_zero();
        if (stream)
            fetch(fit, i);
        give(y + i, norm(v_load(from + i), by, rstd, c, times, plus, shifted), stream);
    }
    if (i == end)
        return;
    const size_t left = end - i;
    const vec times = scale ? v_load_part(scale + i, left) : v_all(1);
    const vec plus = bias ? v_load_part(bias + i, left) : v_zero();
    v_store_part(y + i, norm(v_load_part(from + i, left), by, rstd, c, times, plus, shifted), left);
}

#define VARIANT(name, shifted, stream)                                                                       \
    ENTRY void name##_short(const struct fit *fit, float *y, const struct norm_rows *job)                    \
    {                                                                                                        \
        write_short(fit, y, job, shifted, stream);                                                           \
    }                                                                                                        \
    ENTRY void name##_columns(const struct fit *fit, int r, float *y, const struct norm_rows *job,           \
                              size_t begin, size_t end)                                                      \
    {                                                                                                        \
        write_columns(fit, r, y, job, begin, end, shifted, stream);                                          \
    }
VARIANT(write_plain, false, false)
VARIANT(write_stream, false, true)
VARIANT(write_shifted, true, false)
VARIANT(write_shifted_stream, true, true)
#undef VARIANT

/* Columns begin … end - 1 of one row, with or without float32. */
static void write_row(const struct fit *fit, int r, const struct norm_rows *job, size_t row, size_t begin,
                      size_t end, bool stream)
{
    if (!job->y)
        return;
    float *y = job->y + row * job->features;
    if (__builtin_expect(fit->exact >> r & 1, 0))
        kernel_exact_write(y + begin, fit->from + (size_t)r * fit->stride + begin, end - begin, &fit->by[r],
                           job->scale ? job->scale + begin : NULL, job->bias ? job->bias + begin : NULL);
    else if (fit->shifted >> r & 1)
        (stream ? write_shifted_stream_columns : write_shifted_columns)(fit, r, y, job, begin, end);
    else
        (stream ? write_stream_columns : write_plain_columns)(fit, r, y, job, begin, end);
}

static void write_four(const struct fit *fit, const struct norm_rows *job, size_t row, bool stream)
{
    if (!job->y)
        return;
    float *y = job->y + row * job->features;
    if (__builtin_expect(fit->exact, 0))
        for (int r = 0; r < 4; r++)
            write_row(fit, r, job, row + (size_t)r, 0, job->features, stream);
    else if (fit->shifted)
        (stream ? write_shifted_stream_short : write_shifted_short)(fit, y, job);
    else
        (stream ? write_stream_short : write_plain_short)(fit, y, job);
}

INLINE void aim(struct source *source, struct fit *fit, const struct norm_rows *job, size_t row, float *work,
                size_t stride, size_t ahead, const bool add, const bool stream)
{
    const size_t start = row * job->features;
    source->x = job->x + start;
    source->residual = add ? job->residual + start : NULL;
    source->sum = add ? job->sum + start : NULL;
    source->work = stream ? work : source->sum;
    source->stride = stride;
    fit->from = add ? source->work : source->x;
    fit->stride = stride;
    /* Rows nearer than that are read before these are written. */
    const size_t beyond =
        start + ahead * job->features < job->rows * job->features ? start + ahead * job->features : start;
    fit->next = job->x + beyond;
    fit->next_residual = add ? job->residual + beyond : NULL;
}

INLINE void read_short(struct fit *fit, const struct norm_rows *job, size_t row, float *work, const bool four,
                       const bool rms, const bool add, const bool stream)
{
    struct source source;
    aim(&source, fit, job, row, work, four ? job->features : 0, four ? 8 : 0, add, stream);
    memset(fit->shift, 0, sizeof fit->shift);
    if (!rms)
        v_guess(fit->shift, source.x, source.residual, source.stride, job->features / 2, add);
    sum_short(&fit->first, &fit->second, &source, fit->shift, job->features, rms, add, stream);
    fit->trusted = true;
}

INLINE void read_long(struct fit *fit, const struct norm_rows *job, size_t row, float *work, size_t ahead,
                      const bool rms, const bool add, const bool stream)
{
    struct source source;
    aim(&source, fit, job, row, work, 0, ahead, add, stream);
    memset(fit->shift, 0, sizeof fit->shift);
    if (!rms)
        fit->shift[0] = guess_long(&source, add);
    fit->trusted = sum_long(&fit->first, &fit->second, &source, fit->shift[0], job->features, rms, add, stream);
}

#define VARIANT(name, rms, add, stream)                                                                      \
    ENTRY void name##_short(struct fit *fit, const struct norm_rows *job, size_t row, float *work, bool four) \
    {                                                                                                        \
        read_short(fit, job, row, work, four, rms, add, stream);                                             \
    }                                                                                                        \
    ENTRY void name##_long(struct fit *fit, const struct norm_rows *job, size_t row, float *work, bool four) \
    {                                                                                                        \
        (void)four;                                                                                          \
        read_long(fit, job, row, work, job->features > KERNEL_MIDDLE ? TILE_ROWS : 2, rms, add, stream);     \
    }
VARIANT(layer, false, false, false)
VARIANT(layer_add, false, true, false)
VARIANT(layer_add_stream, false, true, true)
VARIANT(rms, true, false, false)
VARIANT(rms_add, true, true, false)
VARIANT(rms_add_stream, true, true, true)
#undef VARIANT

ENTRY void settle_four(struct fit *fit, const struct norm_rows *job, const struct terms *terms, size_t row)
{
    if (job->rms)
        settle(fit, job, terms, row, true, true);
    else
        settle(fit, job, terms, row, true, false);
}

ENTRY void settle_one(struct fit *fit, const struct norm_rows *job, const struct terms *terms, size_t row)
{
    if (job->rms)
        settle(fit, job, terms, row, false, true);
    else
        settle(fit, job, terms, row, false, false);
}

typedef void reader(struct fit *fit, const struct norm_rows *job, size_t row, float *work, bool four);

/* `stream`: the sum goes past the caches, and is kept in `work` until the row is written. */
static reader *choose_reader(const struct norm_rows *job, bool stream)
{
    static reader *const readers[2][2][3] = {
        {{layer_short, layer_add_short, layer_add_stream_short},
         {rms_short, rms_add_short, rms_add_stream_short}},
        {{layer_long, layer_add_long, layer_add_stream_long}, {rms_long, rms_add_long, rms_add_stream_long}},
    };
    return readers[job->features > KERNEL_SHORT][job->rms][job->residual ? 1 + stream : 0];
}

/* Four rows at once share scale and bias, and none waits for another's sums. Rows are read before those above
   them are written, so that their sums are ready when their turn comes. */
static void run_short(const struct norm_rows *job, const struct terms *terms, size_t first, size_t end,
                      bool stream)
{
    _Alignas(64) float work[2][4 * KERNEL_SHORT];
    struct fit fit[2];
    reader *const read = choose_reader(job, stream);
    size_t row = first;
    if (end - row >= 4) {
        read(&fit[0], job, row, work[0], true);
        settle_four(&fit[0], job, terms, row);
    }
    for (int k = 0; row + 4 <= end; row += 4, k = !k) {
        const bool more = row + 8 <= end;
        if (more)
            read(&fit[!k], job, row + 4, work[!k], true);
        write_four(&fit[k], job, row, stream);
        if (more)
            settle_four(&fit[!k], job, terms, row + 4);
    }
    for (; row < end; row++) {
        read(&fit[0], job, row, work[0], false);
        settle_one(&fit[0], job, terms, row);
        write_row(&fit[0], 0, job, row, 0, job->features, stream);
    }
}

static void run_middle(const struct norm_rows *job, const struct terms *terms, size_t first, size_t end,
                       bool stream)
{
    _Alignas(64) float work[2][KERNEL_MIDDLE];
    struct fit fit[2];
    reader *const read = choose_reader(job, stream);
    read(&fit[0], job, first, work[0], false);
    settle_one(&fit[0], job, terms, first);
    int k = 0;
    for (size_t row = first; row < end; row++, k = !k) {
        const bool more = row + 1 < end;
        if (more)
            read(&fit[!k], job, row + 1, work[!k], false);
        write_row(&fit[k], 0, job, row, 0, job->features, stream);
        if (more)
            settle_one(&fit[!k], job, terms, row + 1);
    }
}

static size_t rows_within(size_t elements, size_t n)
{
    const size_t rows = elements / n;
    return rows < 1 ? 1 : rows > TILE_ROWS ? TILE_ROWS : rows;
}

/* Several rows a tile of columns at a time: scale and bias are read once for all of them. */
static void run_wide(const struct norm_rows *job, const struct terms *terms, size_t first, size_t end,
                     bool stream)
{
    const size_t n = job->features;
    const bool stream_sum = stream && n <= WORK;
    _Alignas(64) float work[WORK];
    struct fit fit[TILE_ROWS];
    reader *const read = choose_reader(job, stream_sum);
    const size_t rows = rows_within(job->residual && stream_sum ? WORK : TILE_CACHE, n);
    for (size_t row = first; row < end; row += rows) {
        const size_t count = end - row < rows ? end - row : rows;
        for (size_t r = 0; r < count; r++)
            read(&fit[r], job, row + r, work + (job->residual && stream_sum ? r * n : 0), false);
        for (size_t r = 0; r < count; r++)
            settle_one(&fit[r], job, terms, row + r);
        for (size_t begin = 0; begin < n; begin += TILE)
            for (size_t r = 0; r < count; r++)
                write_row(&fit[r], 0, job, row + r, begin, n - begin < TILE ? n : begin + TILE, stream);
    }
}

TARGET static void forward(const struct norm_rows *job, size_t first, size_t count, bool stream)
{
    const struct terms terms = {q_all(1 / (double)job->features), q_all(job->eps)};
    const size_t end = first + count;
    if (job->features <= KERNEL_SHORT)
        run_short(job, &terms, first, end, stream);
    else if (job->features <= KERNEL_MIDDLE)
        run_middle(job, &terms, first, end, stream);
    else
        run_wide(job, &terms, first, end, stream);
    if (stream)
        v_fence();
}
